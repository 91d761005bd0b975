import type { RpcClient, RpcOutcome, Rpcs } from "../../shared/database/rpc.ts";
import { sha256, toBase64, toHex } from "../../shared/encoding.ts";
import { fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import { createSecretBox } from "../../shared/webhooks/secret-box.ts";
import type { SignedIn } from "./sign-in-token.ts";

/** RPCs that `public.write_once` makes once. */
type Write =
  | "create_account_key"
  | "create_explorer_key"
  | "rotate_account_key"
  | "revoke_account_key"
  | "create_webhook"
  | "rotate_webhook_secret"
  | "resend_webhook_delivery"
  | "recover_webhook"
  | "send_test_event"
  | "create_saved_search"
  | "mark_saved_search_seen"
  | "issue_saved_search_address"
  | "revoke_saved_search_address"
  | "create_invitation"
  | "accept_invitation"
  | "decline_invitation"
  | "decline_invitations"
  | "decide_offered_customer"
  | "prepare_checkout"
  | "prepare_portal";

/** Arguments of an RPC beside the caller. */
export type ArgumentsBeside<Name extends keyof Rpcs> = Omit<Rpcs[Name]["arguments"], keyof SignedIn>;

/** Answer of a write with the text of the key or secret that it made; null in a repetition that comes too late for it. */
type WithSecret<Result> = { result: Result; secret: string | null };

/** Makes writes for the user who signed in. */
export interface Writes {
  call<Name extends Write>(name: Name, parameters: ArgumentsBeside<Name>): Promise<RpcOutcome<Rpcs[Name]["result"]>>;
  /** Makes a write whose answer shows a secret. The database gets the secret only sealed. */
  callWithSecret<Name extends Write>(
    name: Name,
    parameters: ArgumentsBeside<Name>,
    secret: string,
  ): Promise<RpcOutcome<WithSecret<Rpcs[Name]["result"]>>>;
  /** Makes an idempotency key for another service: a repetition with the same purpose gets the same. It reveals nothing of the caller's key. */
  keyFor(purpose: string): Promise<string>;
  /** Whether an answer was that of an earlier request. */
  readonly isRepetition: boolean;
}

/**
 * Writes of a request, each made once: a repetition gets the first answer.
 *
 * @param key the Idempotency-Key. The database gets its hash alone, and secrets sealed with another hash of it.
 * @param request route and input, which a repetition must have as well.
 */
export function writesOnce(database: RpcClient, signedIn: SignedIn, key: string, request: object): Writes {
  let isRepetition = false;

  async function once<Name extends Write>(rpc: Name, parameters: ArgumentsBeside<Name>, secret?: string) {
    const requestHash = toHex(await sha256(JSON.stringify(request)));
    const box = createSecretBox(toBase64(await sha256(`secret of idempotency key ${key}`)));
    const outcome = await database.call("write_once", {
      ...signedIn,
      key_hash: toHex(await sha256(`idempotency key ${key}`)),
      request_hash: requestHash,
      rpc,
      arguments: parameters,
      ...(secret === undefined ? {} : { sealed_secret: await box.seal(secret, requestHash) }),
    });
    if (!outcome.ok) return outcome;
    const { response, is_repetition, sealed_secret } = outcome.value;
    isRepetition = is_repetition;
    const earlier = sealed_secret === null ? null : await box.open(sealed_secret, requestHash);
    return {
      ok: true as const,
      value: { result: response as Rpcs[Name]["result"], secret: is_repetition ? earlier : (secret ?? null) },
    };
  }

  return {
    get isRepetition() {
      return isRepetition;
    },
    async call(name, parameters) {
      const outcome = await once(name, parameters);
      return outcome.ok ? { ok: true, value: outcome.value.result } : outcome;
    },
    callWithSecret: once,
    keyFor: async (purpose) => toHex(await sha256(`${purpose} of idempotency key ${key}`)),
  };
}

/** Long enough that nobody guesses it: together with a session of the account, it opens a secret. */
const keyPattern = /^[\x21-\x7e]{16,255}$/;

/** Reads the header `Idempotency-Key`. */
export function readIdempotencyKey(request: Request): Outcome<string | undefined> {
  const key = request.headers.get("idempotency-key");
  if (key === null) return succeed(undefined);
  if (keyPattern.test(key)) return succeed(key);
  const message = "must be 16 to 255 printable ASCII characters without spaces, such as a UUID";
  return fail(invalidParameters([{ parameter: "Idempotency-Key", message }]));
}
