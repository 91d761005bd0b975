import { toHex } from "../../../shared/encoding.ts";
import type { Session } from "../session/session.ts";
import { ApiProblem, isProblem, TimedOut, Unreachable } from "./errors.ts";
import { requestTimeoutMs } from "./timeout.ts";

/** Sends a request to the account API. @throws {ApiProblem | Unreachable} */
export type AccountRequest = <Answer>(path: string, options?: RequestOptions) => Promise<Answer>;

export interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
  /** The request is about the user's own account, whichever is chosen. */
  isOwn?: boolean;
}

/**
 * A request whose token is refused because another tab has signed in meanwhile is sent once more, with that tab's token.
 *
 * @param baseUrl URL of the API, up to and including `/functions/v1`.
 * @param accountId account that the requests are about. Default: the user's own.
 * @param timeoutMs time after which a request without an answer is given up. Default: 30 seconds.
 */
export function createAccountRequest(
  baseUrl: string,
  session: Pick<Session, "accessToken" | "refused">,
  accountId?: string,
  timeoutMs = requestTimeoutMs,
): AccountRequest {
  return async <Answer>(path: string, given: RequestOptions = {}) => {
    const options = {
      ...given,
      timeoutMs,
      ...(given.method === "POST" ? { idempotencyKey: newIdempotencyKey() } : {}),
      ...(accountId === undefined || given.isOwn ? {} : { accountId }),
    };
    const stored = await session.accessToken().catch(() => {
      throw new Unreachable();
    });
    const token = stored ?? (await session.refused(undefined));
    if (token === undefined) throw new Unreachable();
    const url = `${baseUrl}/account-api${path}`;
    try {
      return await send<Answer>(url, token, options);
    } catch (error) {
      const current = isNotSignedIn(error) ? await session.refused(token) : undefined;
      if (current === undefined) throw error;
      return await send<Answer>(url, current, options).catch(async (again: unknown) => {
        if (isNotSignedIn(again)) await session.refused(current);
        throw again;
      });
    }
  };
}

/** 16 random bytes. `crypto.randomUUID` is missing where the page has no TLS. */
const newIdempotencyKey = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

const isNotSignedIn = (error: unknown) => error instanceof ApiProblem && error.kind === "not-signed-in";

/** Sends a request. A POST whose connection ended without an answer is sent once more: with its Idempotency-Key it is made once. */
async function send<Answer>(url: string, token: string, options: SendOptions): Promise<Answer> {
  try {
    return await sendOnce(url, token, options);
  } catch (error) {
    const isCutOff = error instanceof Unreachable && !(error instanceof TimedOut);
    if (!isCutOff || options.idempotencyKey === undefined) throw error;
    return sendOnce(url, token, options);
  }
}

type SendOptions = RequestOptions & {
  timeoutMs: number;
  idempotencyKey?: string;
  accountId?: string;
};

async function sendOnce<Answer>(
  url: string,
  token: string,
  { method = "GET", body, signal, timeoutMs, idempotencyKey, accountId }: SendOptions,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const noAnswer = () => (timeout.aborted ? new TimedOut() : new Unreachable());
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      ...(accountId === undefined ? {} : { "X-Account-Id": accountId }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : noAnswer();
  });
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) {
    // The connection ended within the answer.
    if (answer === undefined && response.status !== 204) throw noAnswer();
    return answer as Answer;
  }
  if (!isProblem(answer)) throw noAnswer();
  throw new ApiProblem(answer);
}
