import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { openReceiver, type Receiver } from "../receiver.ts";
import { startDispatcher } from "./dispatcher.ts";
import { loadGrants, type NativeDatabase, openNative } from "./native.ts";

const endpoints = 200;
const hanging = 20;
const rounds = 30;
const grantsARound = 1;

let database: NativeDatabase;
let receiver: Receiver;
beforeAll(async () => {
  database = await openNative();
  await database.set("webhook_lease_seconds", 60);
  await database.set("webhook_timeout_seconds", 15);
  receiver = await openReceiver();
  receiver.answer = ({ path }, response) => {
    if (path.startsWith("/hanging")) return;
    setTimeout(() => response.writeHead(200).end(), 5);
  };
});
afterAll(async () => {
  await receiver.close();
  await database.close();
});

/** From the moment when an event happened to its arrival at each healthy endpoint: the 95th percentile, in milliseconds. */
async function p95(name: string, hangingEndpoints: number): Promise<number> {
  await database.clear();
  for (let index = 0; index < endpoints; index++) {
    const path = index < hangingEndpoints ? "hanging" : "healthy";
    await database.subscribe({ url: `${receiver.url}/${path}/${index}`, events: ["grant.created"] });
  }
  receiver.received.length = 0;
  const dispatcher = startDispatcher(database.secretsKey);
  await dispatcher.started;
  const healthy = () => receiver.received.filter(({ path }) => path.startsWith("/healthy"));
  const expected = (endpoints - hangingEndpoints) * rounds * grantsARound;
  for (let round = 0; round < rounds; round++) {
    await loadGrants(database, `${name}-${round}-${Date.now()}`, grantsARound);
    await new Promise((resolve) => setTimeout(resolve, 800));
  }
  await waitUntil(() => healthy().length >= expected, "all events arrive at all healthy endpoints");
  await dispatcher.kill();
  const delays = healthy()
    .map(({ at, payload }) => at - Date.parse(payload.created_at))
    .sort((one, other) => one - other);
  expect(delays).toHaveLength(expected);
  return delays[Math.floor(delays.length * 0.95)] ?? 0;
}

// Two runs are compared, and something else on the machine may be busy during one of them: hence the retries.
test(`${hanging} of ${endpoints} endpoints that hang do not delay the others: p95 under twice the all-healthy one's`, {
  retry: 2,
}, async () => {
  const allHealthy = await p95("healthy", 0);
  const someHanging = await p95("hanging", hanging);
  console.log(
    `${endpoints} endpoints, p95 from event to arrival: ${Math.round(allHealthy)} ms when all are healthy, ${Math.round(someHanging)} ms when ${hanging} hang`,
  );
  expect(someHanging).toBeLessThan(2 * allHealthy);
});
