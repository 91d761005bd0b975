import { describe, expect, test } from "vitest";
import { detailParsers } from "../../../ingest/fields/parsers.ts";
import type { Parse } from "../../../ingest/fields/value.ts";
import { maxRecordSize } from "../../../ingest/read/bounds.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import { createGenericReader } from "../../../ingest/sources/generic.ts";
import { all, chunksOf, importText } from "./helpers.ts";

/** JSON of any shape, as `ndjson` reads it: a list of several records never becomes one record of mixed values. */

const grant = (id: number, more: object = {}) => ({
  id,
  headline: `Grant ${id}`,
  agency: { name: `Agency ${id}` },
  ...more,
});
const grants = [1, 2, 3].map((id) =>
  grant(id, { contacts: [{ email: `a${id}@example.org` }, { email: "b@example.org" }] }),
);
const maps = ["title=headline", "funder=agency.name"];

const written = {
  "on one line": (value: unknown) => JSON.stringify(value),
  "on one line with an end": (value: unknown) => `${JSON.stringify(value)}\n`,
  "over several lines": (value: unknown) => JSON.stringify(value, null, 2),
  "with a byte-order mark and Windows' line breaks": (value: unknown) =>
    `\ufeff${JSON.stringify(value, null, 1).replaceAll("\n", "\r\n")}\r\n`,
};

const importJson = (content: string, options: Parameters<typeof importText>[3] = {}) =>
  importText(undefined, "ndjson", content, { maps, ...options });

describe.each(Object.entries(written))("a document %s", (_, write) => {
  test.each([
    ["an answer with one list", { meta: { total: 3 }, results: grants }, "results"],
    ["a list within objects", { response: { status: "ok", docs: grants } }, "response.docs"],
    ["a list", grants, "the list that the file is"],
    [
      "pages in a list",
      {
        pages: [
          { page: 1, items: grants.slice(0, 2) },
          { page: 2, items: grants.slice(2) },
        ],
      },
      "pages.items",
    ],
    [
      "a list of pages",
      [
        { page: 1, items: grants.slice(0, 2) },
        { page: 2, items: grants.slice(2) },
      ],
      "items",
    ],
    ["lists of texts beside", { fields: ["id", "headline"], none: [], data: grants }, "data"],
    [
      "a publisher with its grants",
      {
        id: "P",
        headline: "Our grants",
        agency: { name: "Us" },
        list: grants.map((one) => ({ ...one, deadline: "2026-12-01" })),
      },
      "list",
    ],
  ])("%s is its records", async (_name, document, list) => {
    const { accepted, rejected, shapeNotes } = await importJson(write(document));
    expect({ accepted, rejected }).toEqual({ accepted: 3, rejected: 0 });
    expect(shapeNotes).toEqual([expect.stringContaining(`of ${list}`)]);
  });

  test("an object that has what a record needs is one record, with the lists in it", async () => {
    const { accepted, rejected, shapeNotes } = await importJson(write(grants[0]), {
      dataset: "contracts",
      maps: [...maps, "identifiers=contacts.email", "primary_contact_email=contacts.0.email"],
    });
    expect({ accepted, rejected, shapeNotes }).toEqual({ accepted: 1, rejected: 0, shapeNotes: [] });
  });

  test("an object with several lists is refused, with those to choose from", async () => {
    const document = { open: grants, facets: { agencies: [{ name: "A", count: 2 }] } };
    await expect(importJson(write(document))).rejects.toThrow(
      "has several lists that could be the records: open, facets.agencies. Choose one, for example --records open",
    );
    for (const records of ["open", ".open[]", "$.open[*]", "open.*"])
      expect(await importJson(write(document), { records })).toMatchObject({ accepted: 3, rejected: 0 });
    await expect(importJson(write(document), { records: "closed" })).rejects.toThrow(
      "has no list closed; its lists of objects are open, facets.agencies",
    );
  });

  test("an object that may be a record or have them is refused, and --records chooses", async () => {
    const document = { ...grant(9), related: grants };
    await expect(importJson(write(document))).rejects.toThrow(
      "could be the records: . (the whole file is one record), related",
    );
    expect(await importJson(write(document), { records: "." })).toMatchObject({ accepted: 1 });
    expect(await importJson(write(document), { records: "related" })).toMatchObject({ accepted: 3 });
  });

  test("records that are members of an object are read by --records", async () => {
    const document = { grants: Object.fromEntries(grants.map((one) => [`key ${one.id}`, one])) };
    expect(await importJson(write(document), { records: "grants" })).toMatchObject({ accepted: 3, rejected: 0 });
  });

  test("an answer without results is no row", async () => {
    await expect(importJson(write({ total: 0, results: [] }))).rejects.toThrow("has no rows");
  });
});

describe("several values one after the other", () => {
  test("are records, one a line or over several lines each", async () => {
    const lines = grants.map((one) => JSON.stringify(one));
    expect(await importJson(lines.join("\n"))).toMatchObject({ accepted: 3, rejected: 0, shapeNotes: [] });
    const spread = grants.map((one) => JSON.stringify(one, null, 2));
    expect(await importJson(`${spread.join("\n")}\n`)).toMatchObject({ accepted: 3, rejected: 0, shapeNotes: [] });
  });

  test("are pages of records where they are answers with a list each, or lists", async () => {
    const pages = [
      { page: 1, results: grants.slice(0, 2) },
      { page: 2, results: grants.slice(2) },
      { page: 3, results: [] },
    ];
    for (const text of [pages.map((page) => JSON.stringify(page)), pages.map(({ results }) => JSON.stringify(results))])
      expect(await importJson(`${text.join("\n")}\n`)).toMatchObject({ accepted: 3, rejected: 0 });
  });

  test("are records, too, where some lack what the mapping needs", async () => {
    const lines = [{ id: 0, agency: { name: "A" }, contacts: [{ headline: "Mr", agency: { name: "B" } }] }, ...grants];
    expect(await importJson(lines.map((one) => `${JSON.stringify(one)}\n`).join(""))).toMatchObject({
      accepted: 3,
      rejects: [{ line: 1, reason: "title is missing" }],
    });
  });

  test("cost only themselves where a line is no JSON, the first one, too", async () => {
    const lines = grants.map((one) => JSON.stringify(one));
    for (const broken of ['{"id": 4, "headline": "cut', '{"id": 4,', '{"id": x}'])
      for (const all of [
        [broken, ...lines],
        [...lines.slice(0, 2), broken, ...lines.slice(2)],
      ])
        expect(await importJson(`${all.join("\n")}\n`)).toMatchObject({ accepted: 3, rejected: 1 });
  });
});

test("files of one import are each of their own shape, and a page without results has none", async () => {
  const reader = createGenericReader("ndjson", { dataset: "grants", maps, sets: [], pads: [] });
  const contents = [{ results: grants }, { total: 3, results: [] }, grants[0]].map((value) => JSON.stringify(value));
  const files = contents.map((content, index) => ({ label: `${index}`, chunks: chunksOf(content, 50) }));
  const rows = await all(readFiles(files, reader.read));
  expect(rows.map(({ file, record }) => [file, record])).toEqual([
    ["0", 1],
    ["0", 2],
    ["0", 3],
    ["2", undefined],
  ]);
});

test("rows of one line are told apart by their numbers, in rejects, notes and the summary", async () => {
  const results = [grant(1), grant(1), grant(3, { headline: "" }), grant(4, { url: "see web" })];
  const { rejects, noteEntries } = await importJson(JSON.stringify({ results }));
  expect(rejects).toMatchObject([
    { line: 1, record: 2, reason: "repeats the source_id of record 1, which was kept" },
    { line: 1, record: 3, reason: "title is missing" },
  ]);
  expect(noteEntries).toMatchObject([{ line: 1, record: 4, value: "see web" }]);
});

describe("a document of more than 16 MB", () => {
  const filler = "x".repeat(100_000);
  const many = Array.from({ length: 200 }, (_, id) => grant(id, { filler }));

  test("is read in pieces, also where its list comes late", async () => {
    const { accepted } = await importJson(JSON.stringify({ results: many }));
    expect(accepted).toBe(200);
    const late = JSON.stringify({ old: many, results: grants });
    expect(late.length).toBeGreaterThan(maxRecordSize);
    expect(await importJson(late, { records: "results" })).toMatchObject({ accepted: 3, rejected: 0 });
  });

  test("ends at a second list, since either could be the records", async () => {
    await expect(importJson(JSON.stringify({ results: many, other: grants }))).rejects.toThrow(
      "has a second list of objects, other, near line 1, besides results: choose one with --records results or --records other",
    );
  });
});

describe("a path through a list of several objects", () => {
  const row = {
    id: 1,
    headline: "T",
    agency: { name: "F" },
    rounds: [{ closes: "2026-07-01" }, { closes: "2026-08-01" }],
  };
  const line = (more: object) => `${JSON.stringify({ ...row, ...more })}\n`;

  test("is refused where the field takes one value, since values of several records would be mixed", async () => {
    const answer = { total: 2, results: grants };
    const throughList = ["title=results.headline", "funder=results.agency.name", "id=results.id"];
    await expect(importJson(JSON.stringify(answer), { maps: throughList, records: "." })).rejects.toThrow(
      'title: this row has 3 different values at "results.headline". If they are 3 records, --records results reads them so; "results.0.headline" is the first alone',
    );
    const dates = [...maps, "deadline=rounds.closes"];
    expect(
      await importJson(line({}) + line({ id: 2, rounds: [{ closes: "2026-07-01" }] }), { maps: dates }),
    ).toMatchObject({
      accepted: 1,
      rejects: [
        {
          source_id: "1",
          reason: expect.stringContaining('deadline_date: this row has 2 different values at "rounds.closes"'),
        },
      ],
    });
  });

  test("is one value where all items have the same, or one is named by its number", async () => {
    const same = line({ rounds: [{ closes: "2026-07-01" }, { closes: "2026-07-01" }, { closes: null }] });
    expect(await importJson(same, { maps: [...maps, "deadline=rounds.closes"] })).toMatchObject({ accepted: 1 });
    expect(await importJson(line({}), { maps: [...maps, "deadline=rounds.1.closes"] })).toMatchObject({ accepted: 1 });
  });

  test("gives the first, with a note, where the field is no part of what the record is", async () => {
    const contacts = [{ email: "a@example.org" }, { email: "b@example.org" }];
    const { noteEntries } = await importJson(line({ contacts }), {
      dataset: "contracts",
      maps: [...maps, "email=contacts.email"],
    });
    expect(noteEntries).toMatchObject([
      {
        field: "primary_contact_email",
        value: ["a@example.org", "b@example.org"],
        reason: expect.stringContaining("the first was taken"),
      },
    ]);
  });

  /** Pairs of values, one of which is of each field. */
  const pairs = [
    ["One", "Two"],
    ["10.557", "84.305"],
    ["individual", "unrestricted"],
    ["grant", "other"],
    ["https://a.example/", "https://b.example/"],
  ];
  // `deadline_note` was noted to have lost its second value, which it has: fields that take all were listed once more.
  test.each(Object.entries(detailParsers))(
    "is noted of the detail %s where its second value is lost",
    async (name, parse) => {
      const read = (...values: string[]) => {
        try {
          return JSON.stringify((parse as Parse<unknown>)(values));
        } catch {
          return undefined;
        }
      };
      const readable = pairs.filter(([one = ""]) => ![undefined, "null", "[]"].includes(read(one)));
      const takesAll = readable.some(([one = "", other = ""]) => read(one) !== read(one, other));
      for (const [x, y] of readable) {
        const { noteEntries } = await importJson(line({ more: [{ x }, { x: y }] }), {
          dataset: "grants",
          maps: [...maps, `${name}=more.x`],
        });
        const isNoted = noteEntries.some(
          ({ field, reason }) => field === name && reason.includes("the first was taken"),
        );
        expect(isNoted, `${x}, ${y}`).toBe(!takesAll);
      }
    },
  );

  test("is not suggested", async () => {
    const answer = JSON.stringify({ total: 2, opportunities: grants });
    await expect(importJson(answer, { maps: ["title=headlin", "funder=agency.name"] })).rejects.toThrow(
      'did you mean "headline"?',
    );
    await expect(importJson(answer, { maps: [], records: "." })).rejects.toThrow(/with one of total, opportunities\.$/);
  });
});
