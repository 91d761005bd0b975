import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { otherSetAsides, setAsideNames } from "../support/set-aside-names.ts";
import { importText } from "../unit/ingest/helpers.ts";

const names = Object.entries(setAsideNames).flatMap(([code, list]) => list.map((name) => ({ code, name })));

describe("through the API", () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await openTestService();
    ({ key } = await service.newKey());
    await service.connection.execute("truncate funding.contracts");
    const rows = names.map(({ code, name }, index) =>
      JSON.stringify({ id: `${index}`, title: code, funder: "Army", set_aside: name }),
    );
    const others = otherSetAsides.map((name) =>
      JSON.stringify({ id: name, title: name, funder: "Army", set_aside: name }),
    );
    const result = await importText(service.connection, "ndjson", [...rows, ...others].join("\n"), {
      dataset: "contracts",
    });
    expect(result).toMatchObject({ inserted: names.length + otherSetAsides.length, rejects: [] });
  });
  afterAll(() => service.close());

  async function titlesOf(setAside: string): Promise<string[]> {
    const response = await service.fetch(`/contracts-api?limit=100&set_aside=${encodeURIComponent(setAside)}`, {
      headers: bearer(key),
    });
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: { title: string }[] };
    return results.map(({ title }) => title);
  }

  const byEveryName = async () => {
    for (const { code, name } of names)
      expect(await titlesOf(name), name).toEqual(Array(setAsideNames[code]?.length).fill(code));
    for (const name of otherSetAsides) expect(await titlesOf(name.toLowerCase())).toEqual([name]);
  };

  test("every name finds the records that were imported by any name of its code", byEveryName);

  test("a text that is no name finds nothing", async () => {
    expect(await titlesOf("Moon Base Set-Aside")).toEqual([]);
  });

  test("records that earlier versions stored by their names get their codes, without an event", async () => {
    const { connection } = service;
    await connection.execute(`insert into funding.webhook_endpoints (id, account_id, url, events, secret)
      select gen_random_uuid(), id, 'https://example.org/hook', '{contract.updated}', 'x' from funding.accounts limit 1`);
    for (const [index, { name }] of names.entries())
      await connection.query("update funding.contracts set set_aside_code = $2 where source_id = $1", [
        `${index}`,
        name,
      ]);
    const count = async () =>
      (await connection.query<{ count: number }>("select count(*)::integer as count from funding.events"))[0]?.count;
    const before = await count();
    const migration = new URL("../../supabase/migrations/20261122000400_set_aside_codes.sql", import.meta.url);
    await connection.execute(readFileSync(migration, "utf8"));
    await byEveryName();
    expect(await count()).toBe(before);
    await connection.execute(readFileSync(migration, "utf8"));
    await byEveryName();
    // A publisher's change reaches subscribers.
    await connection.query("update funding.contracts set title = 'New', content_hash = 'new' where source_id = '0'");
    expect(await count()).toBe(Number(before) + 1);
  });
});
