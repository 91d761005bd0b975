import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueryEmbedding } from "../../shared/embeddings/query-embedder.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { createLog } from "../../shared/log/log.ts";
import { runs } from "../support/properties.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { setWallClock } from "../support/wall-clock.ts";
import { embedRecords, platformAt } from "./records.ts";
import { type EmbeddingServer, startEmbeddingServer } from "./server.ts";

let server: EmbeddingServer;
let service: TestService;
/** Requests that were counted and wait for their query's vector, by the text of the query. */
const waiting = new Map<string, (isMade: boolean) => void>();
/** Told when one begins to wait. */
let hasBegun: () => void = () => undefined;

beforeAll(async () => {
  server = await startEmbeddingServer();
  const provider = createQueryEmbedder(platformAt(server.url), { budgetMs: 10_000 });
  service = await openTestService(
    {
      getCached: () => undefined,
      async embed(query, wanted): Promise<QueryEmbedding> {
        const isMade = await new Promise<boolean>((resolve) => {
          waiting.set(query, resolve);
          hasBegun();
        });
        return isMade ? provider.embed(query, wanted) : { ok: false, reason: undefined };
      },
    },
    createLog({ variable: () => undefined, level: "error" }),
  );
  await embedRecords(service.connection, server.url);
});
afterAll(async () => {
  await service.close();
  await server.close();
});

const quota = 3;
let serial = 0;

async function setDay(day: number): Promise<void> {
  await setWallClock(service.connection, `timestamptz '2031-01-01T12:00:00Z' + interval '${day} days'`);
}

/** Usage counts by account and day. */
async function counted(): Promise<Record<string, number>> {
  const rows = await service.connection.query<{ bucket: string; used: number }>(
    `select accounts.email || ' ' || (day - date '2031-01-01') as bucket, used::integer
     from funding.daily_quota join funding.accounts on accounts.id = account_id
     where day between '2031-01-01' and '2031-12-31' and used > 0`,
  );
  return Object.fromEntries(rows.map(({ bucket, used }) => [bucket, used]));
}

interface Search {
  text: string;
  /** The account and day of the count. */
  bucket: string;
  response: Promise<Response>;
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("begin" as const), holder: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("end" as const), which: fc.nat(5), isMade: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("midnight" as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("list" as const), holder: fc.nat(1) }) },
);

test("a failed request is uncounted on the day that it was counted on, whatever happens around midnight", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      await service.connection.execute("delete from funding.daily_quota");
      const holders = [await service.newKey("three", quota), await service.newKey("three", quota)];
      const expected: Record<string, number> = {};
      const pending: Search[] = [];
      let day = 0;
      await setDay(day);
      /** Counts a request where there is room; returns where. */
      const count = (holder: number): { bucket: string; hasRoom: boolean } => {
        const bucket = `${holders[holder]?.email} ${day}`;
        const hasRoom = (expected[bucket] ?? 0) < quota;
        if (hasRoom) expected[bucket] = (expected[bucket] ?? 0) + 1;
        return { bucket, hasRoom };
      };
      const check = async () =>
        expect(await counted()).toEqual(Object.fromEntries(Object.entries(expected).filter(([, used]) => used > 0)));
      const end = async ({ text, bucket, response }: Search, isMade: boolean) => {
        waiting.get(text)?.(isMade);
        const { status } = await response;
        expect(status).toBe(isMade ? 200 : 503);
        if (!isMade) expected[bucket] = (expected[bucket] ?? 0) - 1;
      };
      for (const asked of steps) {
        if (asked.act === "midnight") await setDay(++day);
        else if (asked.act === "list") {
          const { hasRoom } = count(asked.holder);
          const response = await service.fetch("/grants-api?limit=1", {
            headers: bearer(holders[asked.holder]?.key ?? ""),
          });
          expect(response.status).toBe(hasRoom ? 200 : 429);
        } else if (asked.act === "begin") {
          const { bucket, hasRoom } = count(asked.holder);
          const text = `clean water ${++serial}`;
          const begun = new Promise<void>((resolve) => {
            hasBegun = resolve;
          });
          const response = service.fetch(`/grants-api?search_mode=semantic&search=${text.replaceAll(" ", "+")}`, {
            headers: bearer(holders[asked.holder]?.key ?? ""),
          });
          if (hasRoom) {
            await Promise.race([begun, response]);
            pending.push({ text, bucket, response });
          } else expect((await response).status).toBe(429);
        } else {
          const [search] = pending.splice(asked.which % Math.max(1, pending.length), 1);
          if (search !== undefined) await end(search, asked.isMade);
        }
        await check();
      }
      for (const search of pending) await end(search, false);
      await check();
    }),
    {
      numRuns: runs(30),
      examples: [
        [
          [
            { act: "begin", holder: 0 },
            { act: "midnight" },
            { act: "list", holder: 0 },
            { act: "end", which: 0, isMade: false },
          ],
        ],
      ],
    },
  );
});
