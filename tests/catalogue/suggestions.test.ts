import { afterAll, beforeAll, expect, test } from "vitest";
import { sealRecords } from "../../database/lexicon/seal.ts";
import { openTestService, type TestService, testOrigin } from "../support/service.ts";
import { Page } from "./page.ts";
import { grantOf, loadGrants } from "./records.ts";

interface Destination {
  kind: string;
  label: string;
  path: string;
}

let service: TestService;

beforeAll(async () => {
  service = await openTestService();
  await loadGrants(service.connection, [
    grantOf("broadband", {
      title: "Zephyr broadband of valleys",
      categories: ["Zephyr studies"],
      details: { agency: ["Zephyr Department", "Office of Zephyrs"] },
    }),
  ]);
  await sealRecords(service.connection);
  await service.connection.query("update funding.suggestion_renewal set version = -1, duration = '0'");
  await sealRecords(service.connection);
});
afterAll(() => service.close());

const ask = (path: string) => service.send(new Request(`${testOrigin}${path}`));

async function suggested(typed: string, more = ""): Promise<Destination[]> {
  const response = await ask(`/funding/suggest?q=${encodeURIComponent(typed)}${more}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  return (await response.json()) as Destination[];
}

test("each suggestion leads to a page that has the record", async () => {
  const found = await suggested("zephyr");
  expect(found.map(({ label }) => label)).toEqual(
    expect.arrayContaining(["Zephyr Department", "Zephyr studies", "Zephyr broadband of valleys"]),
  );
  for (const { path, label } of found) {
    const response = await ask(path);
    expect([label, response.status]).toEqual([label, 200]);
    expect(await response.text()).toContain("Zephyr broadband of valleys");
  }
});

test("a list of contracts suggests nothing that only grants have", async () => {
  expect(await suggested("zephyr", "&dataset=contracts")).toEqual([]);
});

test("a typo finds the same", async () => {
  expect((await suggested("zephir dep")).map(({ label }) => label)).toContain("Zephyr Department");
});

test.each(["", `${"x".repeat(101)}`])("what is no text of 1 to 100 characters is refused: '%s'", async (typed) => {
  const response = await ask(`/funding/suggest?q=${typed}`);
  expect(response.status).toBe(400);
  expect(new Page(await response.text()).text("h1")).toBe("This address cannot be read");
});
