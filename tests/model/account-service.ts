import type { Scheduler } from "fast-check";
import { defineTier } from "../../database/accounts/accounts.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import { runAutovacuum } from "../../local/embedded/autovacuum.ts";
import type { AccountKey } from "../../shared/responses/account/keys.ts";
import { AccountClient, type AccountRequest } from "../service/account-writes.ts";
import type { Person } from "../support/people.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { addressOf, guest, type Limits, mostKeys, newModel, type Operation, tiers } from "./account-model.ts";

/** The real service, as the model's operations see it. */
export interface AccountService {
  connection: Connection;
  /**
   * Begins a program: new people, of whom the first have accounts on the tier `model-some` and one is a guest, with the calls of the database
   * in the scheduler's order.
   */
  begin(people: number, accounts: number, scheduler: Scheduler): Promise<void>;
  /** Does operations at the same time. @returns what each was answered, in the model's words. */
  perform(operations: readonly Operation[]): Promise<string[]>;
  /** Lets hours pass for the accounts of the program. */
  wait(hours: number): Promise<void>;
  passMidnight(): Promise<void>;
  /** Gives a person another address, and lets them make a request with it. */
  move(person: number, address: string): Promise<void>;
  /** Ends the program. @returns what is to be seen of each account. */
  end(): Promise<Look[]>;
  close(): Promise<void>;
}

const programsBetweenVacuums = 50;

/** Keys and counts by the keys' names, members by their numbers, requests by status. */
export interface Look {
  keys: Record<string, string>;
  usedToday: number;
  usedByKey: Record<string, number>;
  members: Record<number, string>;
  /** Role of each open invitation, by the invited address. */
  invitations: Record<string, string>;
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
    create or replace function funding.quota_day() returns date language plpgsql stable as 'begin return (select day from funding.model_day); end'`);
  const client = new AccountClient(service);
  let programs = 0;
  let people: Person[] = [];
  /** Names that the model has for addresses. */
  let addresses = new Map<string, string>();
  let accountIds: string[] = [];
  /** Text and id of the keys of the program, by name. */
  let keys = new Map<string, { id: string; text: string }>();
  let expiries = new Map<string, string>();

  const newPerson = async (): Promise<Person> => {
    const person = await service.people.newPerson();
    // Signing and parsing one for each request took a tenth of a program's time.
    const token = await person.token();
    return { ...person, token: async () => token };
  };
  const personOf = (number: number) => {
    const person = people[number];
    if (person === undefined) throw new Error(`there is no person ${number}`);
    return person;
  };
  const send = async (by: number, request: AccountRequest, headers: object = {}): Promise<[number, never]> => {
    const response = await client.send(personOf(by), request, headers);
    return [response.status, (await response.json()) as never];
  };
  /** Id of a person in an account; of nobody where they are not in it. */
  const memberId = async (account: number, member: number) => {
    const rows = await connection.query<{ id: string }>(
      "select id from funding.members where account_id = $1 and user_id = $2",
      [accountIds[account], personOf(member).userId],
    );
    return rows[0]?.id ?? crypto.randomUUID();
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
    const accountId = accountIds[account];
    const inAccount = { "x-account-id": accountId };
    switch (operation.kind) {
      case "ask": {
        const response = await service.fetch("/grants-api?limit=1", { headers: bearer(known(operation.key).text) });
        await response.text();
        return response.status === 200
          ? `200 ${response.headers.get("x-ratelimit-remaining")}`
          : String(response.status);
      }
      case "create key": {
        const { name, hours, quota, idempotencyKey } = operation;
        const body = { name, daily_quota: quota, ...(hours === null ? {} : { expires_at: inHours(hours, name) }) };
        const headers = idempotencyKey === undefined ? inAccount : { ...inAccount, "idempotency-key": idempotencyKey };
        const [status, key] = await send(operation.by, { method: "POST", path: "/keys", body }, headers);
        if (status !== 201) return String(status);
        issued(key);
        return `201 ${name}`;
      }
      case "rotate": {
        const body = { overlap_hours: operation.overlapHours };
        const path = `/keys/${known(operation.key).id}/rotate`;
        const [status, key] = await send(operation.by, { method: "POST", path, body }, inAccount);
        if (status === 201) issued(key, operation.name);
        return String(status);
      }
      case "limit": {
        const path = `/keys/${known(operation.key).id}`;
        const [status] = await send(
          operation.by,
          { method: "PATCH", path, body: limitsBody(operation.limits) },
          inAccount,
        );
        return String(status);
      }
      case "revoke": {
        const path = `/keys/${known(operation.key).id}/revoke`;
        const [status] = await send(operation.by, { method: "POST", path }, inAccount);
        return String(status);
      }
      case "list keys": {
        const [status] = await send(operation.by, { method: "GET", path: "/keys" }, inAccount);
        return String(status);
      }
      case "invite": {
        const body = { email: personOf(operation.member).email, role: operation.role };
        const [status] = await send(operation.by, { method: "POST", path: "/invitations", body }, inAccount);
        return String(status);
      }
      case "accept": {
        const rows = await connection.query<{ id: string }>(
          "select id from funding.invitations where account_id = $1 and email = $2",
          [accountId, personOf(operation.by).email],
        );
        const path = `/invitations/${rows[0]?.id ?? crypto.randomUUID()}/accept`;
        const [status] = await send(operation.by, { method: "POST", path });
        return String(status);
      }
      case "change role": {
        const path = `/members/${await memberId(account, operation.member)}`;
        const body = { role: operation.role };
        const [status] = await send(operation.by, { method: "PATCH", path, body }, inAccount);
        return String(status);
      }
      case "remove": {
        const path = `/members/${await memberId(account, operation.member)}`;
        const [status] = await send(operation.by, { method: "DELETE", path }, inAccount);
        return String(status);
      }
      case "set tier":
        await connection.query("select funding.set_tier($1, $2)", [accountId, operation.tier]);
        return "done";
      case "cancel":
        await connection.query("select funding.change_subscription($1, null, 'canceled', null)", [accountId]);
        return "done";
      case "end period":
        await connection.query("select funding.change_subscription($1, null, null, now() + $2 * interval '1 hour')", [
          accountId,
          operation.hours,
        ]);
        return "done";
    }
  }

  const ofProgram = "account_id = any ($1::uuid[])";
  return {
    connection,
    async begin(number, accounts, scheduler) {
      keys = new Map();
      expiries = new Map();
      // As a server does by itself. Without it, the plans that the first program made read the rows of all that came before.
      if (programs++ % programsBetweenVacuums === 0) await runAutovacuum(service.lock);
      people = await Promise.all(Array.from({ length: number }, newPerson));
      addresses = new Map(people.map(({ email }, person) => [email, addressOf(newModel(accounts), person)]));
      const opened = await connection.query<{ id: string }>(
        `with account as (
           insert into funding.accounts (email, auth_user_id)
           select email, user_id from unnest($1::text[], $2::uuid[]) as person(email, user_id) returning id, email
         ), subscription as (
           insert into funding.subscriptions (account_id, tier, status) select id, 'model-some', 'active' from account
         )
         select id from account order by array_position($1::text[], email)`,
        [people.slice(0, accounts).map(({ email }) => email), people.slice(0, accounts).map(({ userId }) => userId)],
      );
      accountIds = opened.map(({ id }) => id);
      await connection.query(
        "insert into funding.members (account_id, user_id, email, role) values ($1, $2, $3, 'member')",
        [accountIds[0], personOf(guest).userId, personOf(guest).email],
      );
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
        [accountIds],
      );
      await connection.query(
        `update funding.subscriptions set current_period_end = current_period_end ${past} where ${ofProgram}`,
        [accountIds],
      );
    },
    async move(person, address) {
      const email = `moved-${crypto.randomUUID()}@people.example`;
      addresses.set(email, address);
      const moved = { ...personOf(person), email };
      people[person] = moved;
      await connection.query("update auth.users set email = $2 where id = $1", [moved.userId, email]);
      // Unless the scheduler is asked, the request waits for ever.
      const { by } = scheduled;
      scheduled.by = undefined;
      await client.send(moved, { method: "GET", path: "" });
      scheduled.by = by;
    },
    passMidnight: () => connection.execute("update funding.model_day set day = day + 1"),
    async end() {
      const { by } = scheduled;
      scheduled.by = undefined;
      await by?.waitFor(service.settled());
      return Promise.all(accountIds.map(look));
    },
    async close() {
      scheduled.by = undefined;
      await service.close();
    },
  };

  async function look(accountId: string): Promise<Look> {
    const members = await connection.query<{ user_id: string; role: string }>(
      "select user_id, role from funding.members where account_id = $1",
      [accountId],
    );
    const numbered = members.map(({ user_id, role }) => [people.findIndex((one) => one.userId === user_id), role]);
    const by = numbered[0]?.[0];
    if (typeof by !== "number") throw new Error("an account has no members");
    const [status, listed] = await send(by, { method: "GET", path: "/keys" }, { "x-account-id": accountId });
    if (status !== 200) throw new Error(`the account's keys are answered ${status}: ${JSON.stringify(listed)}`);
    const names = new Map([...keys].map(([name, { id }]) => [id, name]));
    const invitations = await connection.query<{ email: string; role: string }>(
      "select email, role from funding.invitations where account_id = $1",
      [accountId],
    );
    const invited = invitations.map(({ email, role }) => [addresses.get(email) ?? email, role]);
    const { used, of_keys, answers } = await queryOne<{
      used: number;
      of_keys: Record<string, number> | null;
      answers: Record<number, number> | null;
    }>(
      connection,
      `with own_key as (select id from funding.api_keys where account_id = $1)
       select coalesce((select used::integer from funding.daily_quota where account_id = $1 and day = funding.quota_day()), 0) as used,
              (select json_object_agg(id, counted.used) from own_key join funding.daily_key_quota as counted on counted.api_key_id = id
               where counted.day = funding.quota_day()) as of_keys,
              (select json_object_agg(status, requests) from (
                 select status, sum(requests)::integer as requests from funding.usage join own_key on id = api_key_id group by 1) as by_status) as answers`,
      [accountId],
    );
    return {
      keys: Object.fromEntries(
        (listed as { keys: ListedKey[] }).keys.map((key) => [names.get(key.id) ?? key.id, describeKey(key)]),
      ),
      usedToday: used,
      usedByKey: Object.fromEntries(Object.entries(of_keys ?? {}).map(([id, count]) => [names.get(id) ?? id, count])),
      members: Object.fromEntries(numbered),
      invitations: Object.fromEntries(invited),
      answers: answers ?? {},
    };
  }
}

function limitsBody(limits: Limits): object {
  if ("quota" in limits) return { daily_quota: limits.quota };
  return { datasets: limits.isForFunders ? ["funders"] : null };
}

type ListedKey = Pick<AccountKey, "id" | "status" | "expires_at" | "daily_quota" | "datasets">;

/** Describes a key as the model does. */
function describeKey({ status, expires_at, daily_quota, datasets }: ListedKey): string {
  const limits = `, quota ${daily_quota}, ${datasets === null ? "all" : datasets.join(" ")}`;
  if (status !== "active" || expires_at === null) return status + limits;
  return `active for ${Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000)} h${limits}`;
}

/** Lets a scheduler decide in which order the handlers' calls of the database begin; without one they begin at once. */
function scheduleCalls({ runtime: { database } }: TestService): { by: Scheduler | undefined } {
  const scheduled: { by: Scheduler | undefined } = { by: undefined };
  const call = database.call.bind(database);
  database.call = async (name, ...rest) => {
    await scheduled.by?.schedule(Promise.resolve(), name);
    return call(name, ...rest);
  };
  return scheduled;
}
