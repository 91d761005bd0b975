import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { checkFields, detailFields, recordFields } from "../../shared/catalogue/fields.generated.ts";
import { csvParseCells } from "../support/csv-readers.ts";
import { apiClient, pathOf, type Query } from "./client.ts";
import { mcpClient } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const mcp = mcpClient(target);

type Body = Record<string, unknown> & { id: string; details?: Record<string, unknown> };

const datasets = [
  { name: "grants-api", dataset: "grants", own: "title", everything: { opportunity_type: "all" } },
  { name: "contracts-api", dataset: "contracts", own: "naics", everything: { opportunity_type: "all" } },
  { name: "funders-api", dataset: "funders", own: "website", everything: {} },
] as const;

async function recordsOf(name: (typeof datasets)[number]["name"], query: Query): Promise<Body[]> {
  return ((await client.json(pathOf(name, query))) as { results: Body[] }).results;
}

describe.each(datasets)("fields of /$name", ({ name, dataset, own, everything }) => {
  const ofWhole: string[] = [...recordFields[dataset], ...detailFields[dataset]];
  const names: string[] = [...ofWhole, ...checkFields[dataset]];

  test("each leaves itself and the id, as the whole record has them", async () => {
    const query = { ...everything, limit: 30 };
    const whole = await recordsOf(name, { ...query, expand: "details" });
    for (const field of ofWhole) {
      const expected = whole.map(({ id, details = {}, ...record }) => ({
        id,
        ...(field in record ? { [field]: record[field] } : {}),
        ...(field in details ? { details: { [field]: details[field] } } : {}),
      }));
      expect(await recordsOf(name, { ...query, fields: field }), field).toEqual(expected);
    }
  });

  test("all of them are the whole record, in its own order, whatever the order they were named in", async () => {
    const whole = await recordsOf(name, { limit: 5, expand: "details" });
    const chosen = await recordsOf(name, { limit: 5, fields: ofWhole.toReversed().join(",") });
    expect(JSON.stringify(chosen)).toBe(JSON.stringify(whole));
  });

  test("that move without the record come by their names alone", async () => {
    const [record] = await recordsOf(name, { limit: 1, fields: checkFields[dataset].join(",") });
    expect(Object.keys(record?.details ?? {})).toEqual([...checkFields[dataset]]);
    const [detailed] = await recordsOf(name, { limit: 1, expand: "details" });
    for (const check of checkFields[dataset]) expect(detailed?.details).not.toHaveProperty(check);
  });

  test("leave out details that expand asks for besides", async () => {
    const [record] = await recordsOf(name, { limit: 1, fields: own, expand: "details" });
    expect(Object.keys(record ?? {}).toSorted()).toEqual(["id", own].toSorted());
  });

  test("of a page that was asked for with others before are not the others", async () => {
    // Thrice: a page is cached in the database at the second time, and in the function at the first.
    for (let round = 0; round < 3; round++) {
      for (const fields of [own, "source", `${own},source`, undefined]) {
        const [record = { id: "" }] = await recordsOf(name, { limit: 1, offset: 1, ...(fields && { fields }) });
        expect([own in record, "source" in (record.details ?? {})], `${fields}`).toEqual([
          fields !== "source",
          fields?.includes("source") === true,
        ]);
      }
    }
  });

  test("go on with the next page's cursor", async () => {
    const query = { ...everything, limit: 3, fields: own };
    const first = (await client.json(pathOf(name, query))) as { results: Body[]; pagination: { next: string } };
    const second = await recordsOf(name, { ...query, cursor: first.pagination.next });
    expect([...first.results, ...second]).toEqual(await recordsOf(name, { ...query, limit: 6 }));
  });

  test("of one record have an ETag of their own", async () => {
    const [{ id } = { id: "" }] = await recordsOf(name, { limit: 1 });
    const answers = new Map<string, unknown>();
    for (const query of ["", `?fields=${own}`, "?fields=source", `?fields=source,${own}`]) {
      const response = await target.send(`/${name}/${id}${query}`);
      const tag = response.headers.get("etag") ?? "";
      answers.set(tag, await response.json());
      const again = await target.send(`/${name}/${id}${query}`, { headers: { "if-none-match": tag } });
      expect(again.status).toBe(304);
      const other = await target.send(`/${name}/${id}?fields=created_at`, { headers: { "if-none-match": tag } });
      expect(other.status).toBe(200);
      expect(Object.keys((await other.json()) as object)).toEqual(["id", "created_at"]);
    }
    expect(answers.size).toBe(4);
    expect([...answers.values()][2]).toEqual({ id, details: { source: expect.any(String) } });
  });

  test("are the columns of CSV", async () => {
    const query = { limit: 5, fields: `updated_at,${own},created_at` };
    const response = await target.send(pathOf(name, { ...query, format: "csv" }));
    const [columns, ...rows] = csvParseCells(await response.text());
    expect(columns?.toSorted()).toEqual(["id", own, "created_at", "updated_at"].toSorted());
    expect(columns?.[0]).toBe("id");
    const records = await recordsOf(name, query);
    expect(rows.map(([id, ...cells]) => [id, cells.at(-1)])).toEqual(
      records.map(({ id, details }) => [id, details?.updated_at]),
    );
  });

  test("of a ranked search come with its scores and explanations", async () => {
    const query = { search: "water", search_mode: "hybrid", limit: 3 };
    const [record] = await recordsOf(name, { ...query, fields: "created_at", explain: true });
    expect(Object.keys(record ?? {})).toEqual(["id", "created_at", "relevance_score", "explanation"]);
    const csv = await target.send(pathOf(name, { ...query, fields: "created_at", format: "csv" }));
    expect((await csv.text()).split("\r\n")[0]).toBe("id,created_at,relevance_score");
  });

  test.each([
    ["creatd_at", '"creatd_at" is not one; did you mean created_at?'],
    [`id,${own},relevance_score`, `"relevance_score" is not one; the fields are ${names.join(", ")}`],
    ["id,,created_at", `"" is not one; the fields are ${names.join(", ")}`],
    ["details", `"details" is not one; the fields are ${names.join(", ")}`],
  ])("refuse %s, and name what was meant", async (fields, message) => {
    const [{ id } = { id: "" }] = await recordsOf(name, { limit: 1 });
    for (const path of [pathOf(name, { fields }), `/${name}/${id}?fields=${fields}`]) {
      expect((await client.refused(path, 400)).errors).toEqual([
        { parameter: "fields", message: `must be names of fields, separated by commas; ${message}` },
      ]);
    }
  });

  test("are of the MCP's records, too", async () => {
    const [{ id } = { id: "" }] = await recordsOf(name, { limit: 1 });
    const given = { type: dataset, id, fields: [own, "source"] };
    expect(await mcp.answer("get_record", given)).toEqual(await client.json(`/${name}/${id}?fields=${own},source`));
  });
});

test("a field of another dataset is refused", async () => {
  const { errors } = await client.refused("/grants-api?fields=naics", 400);
  expect(errors?.[0]?.message).toContain('"naics" is not one');
});

test("five fields of a hundred records are a fifth of the bytes, also of those of gzip", async () => {
  const sizes = async (query: Query) => {
    const body = Buffer.from(await (await target.send(pathOf("grants-api", { limit: 100, ...query }))).arrayBuffer());
    return [body.byteLength, gzipSync(body).byteLength] as const;
  };
  const [all, compressed] = await sizes({});
  const [some, someCompressed] = await sizes({ fields: "title,deadline_date,amount_max,funder_name,status" });
  expect(some).toBeLessThan(all / 5);
  expect(someCompressed).toBeLessThan(compressed / 5);
});
