import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseUrl, newPerson, newSession, type SignedIn } from "./sessions.ts";

/** A call is much quicker than this, and the limit of a statement much longer. */
const soonMs = 500;

let sessions: pg.Client[];

beforeAll(async () => {
  databaseUrl();
  sessions = await Promise.all(Array.from({ length: 12 }, () => newSession()));
});
afterAll(() => Promise.all(sessions.map((session) => session.end())));

const sessionAt = (index: number): pg.Client => sessions[index % sessions.length] as pg.Client;

async function newWebhook(session: pg.Client, { user_id, session_id }: SignedIn): Promise<string> {
  const { rows } = await session.query<{ id: string }>("select public.create_webhook($1, $2, $3::jsonb)->>'id' as id", [
    user_id,
    session_id,
    JSON.stringify({
      id: crypto.randomUUID(),
      url: "https://hooks.example.org/",
      description: "",
      events: ["grant.created"],
      filters: {},
      deadline_days: [7],
      secret: "sealed",
    }),
  ]);
  return rows[0]?.id ?? "";
}

const sendTest = (session: pg.Client, { user_id, session_id }: SignedIn, webhookId: string) =>
  session.query("select public.send_test_event($1, $2, $3, 'grant.created', $4::json)", [
    user_id,
    session_id,
    webhookId,
    JSON.stringify({ id: crypto.randomUUID() }),
  ]);

/** "sent", or the SQLSTATE of the refusal. */
const outcomeOf = (sending: Promise<unknown>) =>
  sending.then(
    () => "sent",
    (error: pg.DatabaseError) => error.code ?? "",
  );

test("160 test deliveries at once are as many as the limit says, over all webhooks of the account", async () => {
  const person = await newPerson(sessionAt(0));
  const webhooks: string[] = [];
  for (let count = 0; count < 6; count++) webhooks.push(await newWebhook(sessionAt(0), person));
  const { rows } = await sessionAt(0).query<{ limit: number }>(
    "select value::integer as limit from funding.settings where name = 'write_limit_test_deliveries'",
  );
  const limit = rows[0]?.limit ?? 0;
  const outcomes = await Promise.all(
    Array.from({ length: 160 }, (_, index) =>
      outcomeOf(sendTest(sessionAt(index), person, webhooks[index % webhooks.length] ?? "")),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "sent")).toHaveLength(limit);
  expect(outcomes.filter((outcome) => outcome === "PT429")).toHaveLength(160 - limit);
  const made = await sessionAt(0).query<{ deliveries: number }>(
    "select count(*)::integer as deliveries from funding.webhook_deliveries where endpoint_id = any ($1)",
    [webhooks],
  );
  expect(made.rows[0]?.deliveries).toBe(limit);
});

test("a write that is not over yet keeps no other account waiting, nor other kinds, and is forgotten when it is rolled back", async () => {
  const [ada, ben] = [await newPerson(sessionAt(0)), await newPerson(sessionAt(0))];
  const [ofAda, ofBen] = [await newWebhook(sessionAt(0), ada), await newWebhook(sessionAt(0), ben)];
  await sessionAt(1).query("begin");
  await sendTest(sessionAt(1), ada, ofAda);
  const started = performance.now();
  await sendTest(sessionAt(2), ben, ofBen);
  await newWebhook(sessionAt(2), ada);
  await sessionAt(2).query("select public.get_account($1, $2)", [ada.user_id, ada.session_id]);
  expect(performance.now() - started).toBeLessThan(soonMs);
  await sessionAt(1).query("rollback");
  const { rows } = await sessionAt(2).query<{ kind: string }>(
    `select kind from funding.account_writes join funding.accounts on accounts.id = account_id
     where auth_user_id = $1 order by kind`,
    [ada.user_id],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["webhook_creations"]);
});
