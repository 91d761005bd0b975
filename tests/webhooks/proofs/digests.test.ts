import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { openReceiver, type Receiver } from "../receiver.ts";
import { type DispatcherProcess, startDispatcher } from "./dispatcher.ts";
import { loadGrants, type NativeDatabase, openNative } from "./native.ts";

const subscribers = 150;

let database: NativeDatabase;
let mails: Receiver;
const running: DispatcherProcess[] = [];

beforeAll(async () => {
  database = await openNative();
  mails = await openReceiver();
});
afterAll(async () => {
  await Promise.all(running.map((dispatcher) => dispatcher.kill()));
  await database.query("delete from funding.accounts where email like '%@digests.proof.example'");
  await database.query("delete from auth.users where email like '%@digests.proof.example'");
  await mails.close();
  await database.close();
});

/** People who each saved a search, whose daily digest is due now. */
async function subscribe(): Promise<void> {
  await database.query(
    `with person as (
       insert into auth.users (id, email, email_confirmed_at)
       select gen_random_uuid(), number || '@digests.proof.example', now() from generate_series(1, $1::integer) as number
       returning id, email
     )
     insert into funding.accounts (email, auth_user_id) select email, id from person`,
    [subscribers],
  );
  await database.query(
    "select funding.set_tier(email, 'developer') from funding.accounts where email like '%@digests.proof.example'",
  );
  await database.query(
    `with search as (
       insert into funding.saved_searches (account_id, name, dataset, query, filter_query, filter, seen_until)
       select id, 'Water', 'grants', 'search=water', 'search=water', '{"search": "water"}', now()
       from funding.accounts where email like '%@digests.proof.example'
       returning id
     )
     insert into funding.digests (saved_search_id, frequency, hour, time_zone, next_at, reported_until)
     select id, 'daily', 0, 'UTC', now(), now() from search`,
  );
}

const recipients = () => mails.received.map(({ body }) => (JSON.parse(body) as { to: string[] }).to.join());

test("two dispatchers at once send each digest once, also when one is killed among them", async () => {
  mails.answer = (_request, response) => {
    setTimeout(() => response.writeHead(200).end(), 20);
  };
  await subscribe();
  // Claims are in the dispatcher's time, which is behind the server's once no dispatcher has run for a while.
  await database.query("update funding.dispatch_clock set dispatch_time = dispatch_time - interval '10 minutes'");
  await loadGrants(database, `digests-${Date.now()}`, 3);
  const settings = {
    MAIL_HTTP_URL: mails.url,
    MAIL_FROM: "digests@proof.example",
    PUBLIC_API_URL: "https://api.proof.example/functions/v1",
    DASHBOARD_URL: "https://proof.example",
  };
  const start = () => startDispatcher(database.secretsKey, settings);
  running.push(start(), start());
  await waitUntil(async () => mails.received.length >= 40, "forty mails");
  await running.pop()?.kill();
  running.push(start());
  const due = "select count(*)::integer from funding.digests where next_at <= now()";
  // Those that the killed one had chosen and not claimed wait for a minute.
  await waitUntil(async () => (await database.value<number>(due)) <= 4, "digests are claimed");
  await database.query("update funding.digests set tried_at = tried_at - interval '1 minute'");
  await waitUntil(async () => (await database.value<number>(due)) === 0, "all digests are claimed");
  // Those that it had claimed end after two.
  await database.query(
    "update funding.digest_mails set claimed_until = funding.dispatch_now() where state = 'claimed'",
  );
  const open = "select count(*)::integer from funding.digest_mails where state in ('claimed', 'waiting')";
  await waitUntil(async () => (await database.value<number>(open)) === 0, "all claims are settled");

  const states = await database.query<{ state: string; mails: number }>(
    "select state, count(*)::integer as mails from funding.digest_mails group by state",
  );
  const of = (wanted: string) => states.find(({ state }) => state === wanted)?.mails ?? 0;
  expect(of("sent") + of("unknown"), JSON.stringify(states)).toBe(subscribers);
  // A dispatcher sends four at a time.
  expect(of("unknown")).toBeLessThanOrEqual(4);
  expect(new Set(recipients()).size).toBe(mails.received.length);
  expect(mails.received.length).toBeGreaterThanOrEqual(of("sent"));
});
