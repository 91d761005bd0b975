import type { Scheduler } from "fast-check";
import { defineTier } from "../../accounts/accounts.ts";
import type { Connection } from "../../database/connection.ts";
import { runAutovacuum } from "../../local/embedded/autovacuum.ts";
import type { AccountKey } from "../../shared/responses/account/keys.ts";
import { AccountClient, type AccountRequest } from "../service/account-writes.ts";
import type { Person } from "../support/people.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { mostKeys, type Operation, tiers } from "./account-model.ts";

/** The real service, as the model's operations see it. */
export interface AccountService {
  connection: Connection;
  /** Begins a program: new accounts, on the tier `model-some`, with the calls of the database in the scheduler's order. */
  begin(accounts: number, scheduler: Scheduler): Promise<void>;
  /** Does operations at the same time. @returns what each was answered, in the model's words. */
  perform(operations: readonly Operation[]): Promise<string[]>;
  /** Lets hours pass for the accounts of the program. */
  wait(hours: number): Promise<void>;
  passMidnight(): Promise<void>;
  /** Ends the program. @returns each key by name, what the quota has counted today, and requests by status, of each account. */
  end(): Promise<Look[]>;
  close(): Promise<void>;
}

const programsBetweenVacuums = 50;

export interface Look {
  keys: Record<string, string>;
  usedToday: number;
  answers: Record<number, number>;
}

export async function openAccountService(): Promise<AccountService> {
  const service = await openTestService();
  const { connection } = service;
  const scheduled = scheduleCalls(service);
  for (const [name, quota] of Object.entries(tiers)) {
    if (quota === undefined) await connection.query("select funding.add_tier($1, false, 0, false)", [name]);
    else await defineTier(connection, name, quota);
  }
  await connection.query("update funding.settings set value = '1000000' where starts_with(name, 'write_limit_')");
  await connection.query("update funding.settings set value = $1::jsonb where name = 'maximum_active_keys'", [
    mostKeys,
  ]);
  // The day moves when the model says so, and not at midnight.
  await connection.execute(`create table funding.model_day as select (now() at time zone 'UTC')::date as day;
    create or replace function funding.quota_day() returns date language sql stable as 'select day from funding.model_day'`);
  const client = new AccountClient(service);
  let programs = 0;
  let people: Person[] = [];
  /** Text and id of the keys of the program, by name. */
  let keys = new Map<string, { id: string; text: string }>();
  let expiries = new Map<string, string>();

  const send = async (account: number, request: AccountRequest, headers: object = {}): Promise<[number, never]> => {
    const person = people[account];
    if (person === undefined) throw new Error(`there is no account ${account}`);
    const response = await client.send(person, request, headers);
    return [response.status, (await response.json()) as never];
  };
  const issued = ({ id, name, key }: { id: string; name: string; key: string | null }, as = name) => {
    // A repetition that comes too late has no key.
    if (key !== null) keys.set(as, { id, text: key });
  };
  /** Moment so many hours from now: for one name the same, so that a request can be repeated. */
  const inHours = (hours: number, name: string) => {
    const moment = expiries.get(`${name} ${hours}`) ?? new Date(Date.now() + hours * 3_600_000).toISOString();
    expiries.set(`${name} ${hours}`, moment);
    return moment;
  };
  const known = (name: string) => {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`there is no key ${name}`);
    return key;
  };

  async function perform(operation: Operation): Promise<string> {
    const { account } = operation;
    const email = people[account]?.email;
    switch (operation.kind) {
      case "ask": {
        const response = await service.fetch("/grants-api?limit=1", { headers: bearer(known(operation.key).text) });
        await response.text();
        return response.status === 200
          ? `200 ${response.headers.get("x-ratelimit-remaining")}`
          : String(response.status);
      }
      case "create key": {
        const { name, hours, idempotencyKey } = operation;
        const body = { name, ...(hours === null ? {} : { expires_at: inHours(hours, name) }) };
        const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
        const [status, key] = await send(account, { method: "POST", path: "/keys", body }, headers);
        if (status !== 201) return String(status);
        issued(key);
        return `201 ${name}`;
      }
      case "rotate": {
        const body = { overlap_hours: operation.overlapHours };
        const path = `/keys/${known(operation.key).id}/rotate`;
        const [status, key] = await send(account, { method: "POST", path, body });
        if (status === 201) issued(key, operation.name);
        return String(status);
      }
      case "revoke": {
        const [status] = await send(account, { method: "POST", path: `/keys/${known(operation.key).id}/revoke` });
        return String(status);
      }
      case "set tier":
        await connection.query("select funding.set_tier($1, $2)", [email, operation.tier]);
        return "done";
      case "cancel":
        await connection.query("select funding.change_subscription($1, null, 'canceled', null)", [email]);
        return "done";
      case "end period":
        await connection.query("select funding.change_subscription($1, null, null, now() + $2 * interval '1 hour')", [
          email,
          operation.hours,
        ]);
        return "done";
    }
  }

  const ids = () => people.map(({ userId }) => userId);
  const ofProgram = "account_id in (select id from funding.accounts where auth_user_id = any ($1::uuid[]))";
  return {
    connection,
    async begin(accounts, scheduler) {
      people = [];
      keys = new Map();
      expiries = new Map();
      // As a server does by itself. Without it, the plans that the first program made read the rows of all that came before.
      if (programs++ % programsBetweenVacuums === 0) await runAutovacuum(service.lock);
      for (let count = 0; count < accounts; count++) {
        const person = await service.people.newPerson();
        await client.send(person, { method: "GET", path: "" });
        await connection.query("select funding.set_tier($1, 'model-some')", [person.email]);
        people.push(person);
      }
      scheduled.by = scheduler;
    },
    async perform(operations) {
      const answers = Promise.all(operations.map(perform));
      await scheduled.by?.waitFor(answers);
      return answers;
    },
    async wait(hours) {
      const past = `- ${hours} * interval '1 hour'`;
      await connection.query(
        `update funding.api_keys set created_at = created_at ${past}, expires_at = expires_at ${past}, revoked_at = revoked_at ${past}
         where ${ofProgram}`,
        [ids()],
      );
      await connection.query(
        `update funding.subscriptions set current_period_end = current_period_end ${past} where ${ofProgram}`,
        [ids()],
      );
    },
    passMidnight: () => connection.execute("update funding.model_day set day = day + 1"),
    async end() {
      const { by } = scheduled;
      scheduled.by = undefined;
      await by?.waitFor(service.settled());
      return Promise.all(people.map(look));
    },
    async close() {
      scheduled.by = undefined;
      await service.close();
    },
  };

  async function look({ userId }: Person, account: number): Promise<Look> {
    const [status, listed] = await send(account, { method: "GET", path: "/keys" });
    if (status !== 200) throw new Error(`the account's keys are answered ${status}: ${JSON.stringify(listed)}`);
    const names = new Map([...keys].map(([name, { id }]) => [id, name]));
    const quota = await connection.query<{ used: number }>(
      `select used::integer from funding.daily_quota where day = funding.quota_day() and ${ofProgram}`,
      [[userId]],
    );
    const usage = await connection.query<{ status: number; requests: number }>(
      `select status, sum(requests)::integer as requests from funding.usage
       where api_key_id in (select id from funding.api_keys where ${ofProgram}) group by 1`,
      [[userId]],
    );
    return {
      keys: Object.fromEntries(
        (listed as { keys: ListedKey[] }).keys.map((key) => [names.get(key.id) ?? key.id, describeKey(key)]),
      ),
      usedToday: quota[0]?.used ?? 0,
      answers: Object.fromEntries(usage.map(({ status, requests }) => [status, requests])),
    };
  }
}

type ListedKey = Pick<AccountKey, "id" | "status" | "expires_at">;

/** Describes a key as the model does. */
function describeKey({ status, expires_at }: ListedKey): string {
  if (status !== "active" || expires_at === null) return status;
  return `active for ${Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000)} h`;
}

/** Lets a scheduler decide in which order the handlers' calls of the database begin; without one they begin at once. */
function scheduleCalls({ runtime: { database } }: TestService): { by: Scheduler | undefined } {
  const scheduled: { by: Scheduler | undefined } = { by: undefined };
  const call = database.call.bind(database);
  database.call = async (name, parameters) => {
    await scheduled.by?.schedule(Promise.resolve(), name);
    return call(name, parameters);
  };
  return scheduled;
}
