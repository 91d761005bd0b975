import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { brokenLinks, dueLinks, forgetLinks, noteLinks } from "../../database/links.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** What checks of links say of records, by the API. */

let service: TestService;
let headers: Record<string, string>;
const url = "https://grants.example.org/one";

beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
});
beforeEach(async () => {
  await service.connection.execute("truncate funding.links, funding.grants, funding.contracts, funding.funders");
  await addFunder("Water Office", "https://water.example.org");
  await addGrant("one", { url });
});
afterAll(() => service.close());

async function addFunder(name: string, website: string | null) {
  await service.connection.query(
    `insert into funding.funders (id, name, website, created_at, source, source_id, content_hash)
     values (gen_random_uuid(), $1, $2, now(), 'test', $1, '')`,
    [name, website],
  );
}

async function addGrant(id: string, given: { url: string | null; isAwarded?: boolean; isArchived?: boolean }) {
  await service.connection.query(
    `insert into funding.grants (id, title, description, status, classification, funder_id, listing_url, created_at, archived_at, source, source_id, content_hash)
     select gen_random_uuid(), $1, '', 'open', $3, funders.id, $2, now(), case when $4 then now() end, 'test', $1, '' from funding.funders limit 1`,
    [id, given.url, given.isAwarded === true ? "awarded_project" : "opportunity", given.isArchived === true],
  );
}

const note = (result: "ok" | "failing" | "unknown", of = url) =>
  noteLinks(service.connection, [{ url: of, result, reason: result === "ok" ? null : "answers 404" }]);
/** Lets days go by since the last check. */
const passDays = (days: number) =>
  service.connection.query(
    "update funding.links set checked_at = checked_at - $1 * interval '1 day', failed_at = failed_at - $1 * interval '1 day'",
    [days],
  );

interface Checks {
  link_status: string | null;
  link_checked_at: string | null;
}

async function checks(path = "/grants-api"): Promise<Checks | undefined> {
  const response = await service.fetch(`${path}?fields=link_status,link_checked_at`, { headers });
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { details: Checks }[] };
  return results[0]?.details;
}
const status = async () => (await checks())?.link_status;

describe("the link of a record", () => {
  test("has no status before it is checked, and then one with the time of the check", async () => {
    expect(await checks()).toEqual({ link_status: null, link_checked_at: null });
    const before = new Date().toISOString();
    await note("ok");
    const { link_status, link_checked_at } = (await checks()) ?? {};
    expect(link_status).toBe("ok");
    expect(String(link_checked_at) >= before).toBe(true);
  });

  test("is broken after three failures a week apart, and mended by one answer", async () => {
    const found: unknown[] = [];
    for (let week = 0; week < 4; week++) {
      await note("failing");
      found.push(await status());
      await passDays(7);
    }
    expect(found).toEqual(["failing", "failing", "broken", "broken"]);
    await note("ok");
    expect(await status()).toBe("ok");
    await passDays(7);
    await note("failing");
    expect(await status()).toBe("failing");
  });

  test("is not broken by failures of one week, however many", async () => {
    for (let day = 0; day < 6; day++) {
      await note("failing");
      await passDays(1);
    }
    expect(await status()).toBe("failing");
  });

  test("that a host does not show is unknown, which neither mends nor breaks it", async () => {
    for (const result of ["failing", "unknown", "failing", "unknown"] as const) {
      await note(result);
      expect(await status()).toBe(result);
      await passDays(7);
    }
    await note("failing");
    expect(await status()).toBe("broken");
  });

  test("is that of the address: another address has not been checked", async () => {
    await note("failing");
    await service.connection.execute("update funding.grants set listing_url = 'https://grants.example.org/two'");
    expect(await checks()).toEqual({ link_status: null, link_checked_at: null });
  });

  test("of a funder is its website's", async () => {
    await note("ok", "https://water.example.org");
    expect((await checks("/funders-api"))?.link_status).toBe("ok");
  });

  test("moves neither the record nor its entity tag", async () => {
    const traces = async () => {
      const { results } = (await (await service.fetch("/grants-api", { headers })).json()) as {
        results: { id: string }[];
      };
      const one = await service.fetch(`/grants-api/${results[0]?.id}?expand=details`, { headers });
      const versions = await service.connection.query(
        "select dataset, version::text from funding.data_versions order by 1",
      );
      return [one.headers.get("etag"), await one.text(), versions];
    };
    const before = await traces();
    await note("failing");
    expect(await traces()).toEqual(before);
  });
});

describe("what is checked", () => {
  test("is the addresses of current opportunities and of funders, each once", async () => {
    await addGrant("same", { url });
    await addGrant("awarded", { url: "https://grants.example.org/awarded", isAwarded: true });
    await addGrant("archived", { url: "https://grants.example.org/archived", isArchived: true });
    await addGrant("none", { url: null });
    await addGrant("mail", { url: "mailto:grants@example.org" });
    expect((await dueLinks(service.connection, 6, 100)).toSorted()).toEqual([url, "https://water.example.org"]);
  });

  test("is what was not checked for so many days, the longest unchecked first", async () => {
    for (const name of ["a", "b", "c"]) await addGrant(name, { url: `https://${name}.example.org/` });
    await note("ok", "https://a.example.org/");
    await passDays(10);
    await note("ok", "https://b.example.org/");
    await passDays(3);
    expect(await dueLinks(service.connection, 6, 100)).toEqual([
      "https://c.example.org/",
      url,
      "https://water.example.org",
      "https://a.example.org/",
    ]);
    expect(await dueLinks(service.connection, 1, 1)).toEqual(["https://c.example.org/"]);
    expect(await dueLinks(service.connection, 1, 100)).toHaveLength(5);
  });

  test("is forgotten when no current record has the address any more", async () => {
    await note("ok");
    await note("ok", "https://gone.example.org/");
    expect(await forgetLinks(service.connection)).toBe(1);
    expect(await service.connection.query("select url from funding.links")).toEqual([{ url }]);
  });

  test("names the records whose links are broken", async () => {
    await addGrant("same", { url });
    for (let week = 0; week < 3; week++) {
      await note("failing");
      await passDays(7);
    }
    const broken = await brokenLinks(service.connection);
    expect(broken).toHaveLength(2);
    expect(broken[0]).toMatchObject({ dataset: "grants", url, reason: "answers 404" });
  });
});
