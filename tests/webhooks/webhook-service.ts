import { queryOne } from "../../database/connection.ts";
import { webhookBodies } from "../../functions/account-api/webhook-bodies.ts";
import { type DispatchSummary, dispatch } from "../../functions/dispatch/dispatcher.ts";
import type { Rpcs } from "../../shared/database/rpc.ts";
import type { Webhook } from "../../shared/responses/account/webhooks.ts";
import { generateSecret } from "../../shared/webhooks/secret-box.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { setWallClock } from "../support/wall-clock.ts";

/** Endpoint settings of a test; the rest have the API's defaults. */
export interface WebhookRequest {
  url: string;
  events: string[];
  filters?: Record<string, string>;
  deadline_days?: number[];
  expand?: string[];
  updated_fields?: string[];
}

/** An endpoint, with the secret that its owner was shown. */
export interface Subscribed {
  webhook: Webhook;
  accountId: string;
  secret: string;
}

type OwnerFunction = Extract<keyof Rpcs, `${string}webhook${string}` | "send_test_event">;

/** The service with what tests of webhooks do to it. */
export interface WebhookService extends TestService {
  rpc<Name extends keyof Rpcs>(name: Name, parameters: Rpcs[Name]["arguments"]): Promise<Rpcs[Name]["result"]>;
  /** Calls a function of webhook management as the owner, past the sign-in: the account goes before its arguments. */
  asOwner<Name extends OwnerFunction>(
    name: Name,
    accountId: string,
    ...values: unknown[]
  ): Promise<Rpcs[Name]["result"]>;
  newAccount(tier?: string): Promise<string>;
  subscribe(request: WebhookRequest, accountId?: string): Promise<Subscribed>;
  /** Writes records as an import does. */
  load(dataset: string, ...records: object[]): Promise<void>;
  /** One run of the dispatcher, until there is nothing to do. */
  dispatch(): Promise<DispatchSummary>;
  set(setting: string, value: unknown): Promise<void>;
  /** Moves the server's clock, by so many seconds from the true time. */
  setClock(seconds: number): Promise<void>;
  /** Lets time pass for the dispatcher, as it would if it had been running. */
  passTime(seconds: number): Promise<void>;
}

export async function openWebhookService(): Promise<WebhookService> {
  const service = await openTestService();
  const { connection, runtime } = service;
  const { secrets } = runtime.webhooks;
  if (secrets === undefined) throw new Error("the test service has a key for secrets");
  const rpc: WebhookService["rpc"] = async (name, parameters) => {
    const outcome = await runtime.database.call(name, parameters);
    if (!outcome.ok) throw new Error(`${name}: ${outcome.failure.code} ${outcome.failure.message}`);
    return outcome.value;
  };
  const asOwner: WebhookService["asOwner"] = async (name, ...values) => {
    const places = values.map((_, index) => `$${index + 1}`).join(", ");
    const { answer } = await queryOne<{ answer: never }>(
      connection,
      `select funding.${name}(${places}) as answer`,
      values,
    );
    return answer;
  };
  const newAccount = async (tier?: string) => {
    const { email } = await service.newKey(tier);
    const { id } = await queryOne<{ id: string }>(connection, "select id from funding.accounts where email = $1", [
      email,
    ]);
    return id;
  };
  return {
    ...service,
    rpc,
    asOwner,
    newAccount,
    async subscribe(request, accountId) {
      const owner = accountId ?? (await newAccount());
      const body = webhookBodies(true).create.schema.parse(request);
      const id = crypto.randomUUID();
      const secret = generateSecret();
      const sealed = { ...body, id, secret: await secrets.seal(secret, id) };
      const webhook = await asOwner("create_webhook", owner, JSON.stringify(sealed));
      return { webhook, accountId: owner, secret };
    },
    async load(dataset, ...records) {
      await connection.query("select funding.upsert_records($1, $2::jsonb)", [dataset, JSON.stringify(records)]);
    },
    dispatch: () => dispatch({ ...runtime, budgetMs: 20_000 }),
    async set(setting, value) {
      await connection.query("update funding.settings set value = $2::jsonb where name = $1", [
        setting,
        JSON.stringify(value),
      ]);
    },
    async setClock(seconds) {
      await setWallClock(connection, `clock_timestamp() + interval '${seconds} seconds'`);
      await connection.execute("select funding.confirm_clock()");
    },
    async passTime(seconds) {
      await connection.execute(
        `update funding.dispatch_clock set dispatch_time = dispatch_time + interval '${seconds} seconds'`,
      );
    },
  };
}

let records = 0;

/** A grant as an import would have it, unlike all others. */
export function grant(changes: object = {}): Record<string, unknown> {
  records += 1;
  return {
    source: "test",
    source_id: `grant-${records}`,
    title: `Clean water for town ${records}`,
    description: "Pipes and treatment plants.",
    amount_min: 10_000,
    amount_max: 80_000,
    deadline_date: "2031-07-01",
    status: "open",
    classification: "opportunity",
    states: ["OH"],
    is_national: false,
    geography: "Ohio",
    funder_name: "Water Office",
    created_at: "2026-06-01T00:00:00Z",
    categories: ["Environment"],
    identifiers: [],
    archived_at: null,
    ...changes,
  };
}

/** The same as a contract. */
export function contract(changes: object = {}): Record<string, unknown> {
  return grant({ naics: "237310", set_aside_code: "8A", ...changes });
}
