import { describe, expect, test } from "vitest";
import { type Cursor, cursor, writeCursor } from "../../../shared/validation/list.ts";
import { grantList } from "../../../shared/validation/opportunities.ts";
import { readQuery } from "../../../shared/validation/query.ts";

const id = "3fcba028-2b9c-8a62-a983-a71781e55569";
const orders = ["created_at", "updated_at", "deadline_date", "amount_min", "title", "relevance"] as const;
const at = (sort_by: string, key: Cursor["key"], order: "asc" | "desc" = "asc"): Cursor => ({
  sort_by,
  order,
  key,
  id,
});
const read = (text: string) => cursor(orders).safeParse(text);
/** A cursor of any content, as `writeCursor` would write it. */
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a cursor", () => {
  test.each([
    at("created_at", "2026-06-01T00:00:00.000Z"),
    at("updated_at", "2026-06-01T00:00:00.000001Z", "desc"),
    at("deadline_date", "2026-06-01"),
    at("deadline_date", null),
    at("amount_min", 0),
    at("amount_min", null, "desc"),
    // Its base64 has a plus sign, a slash and padding.
    at("title", "Wasser für Städte ???>>>~~~ 💧"),
    at("title", "x".repeat(600)),
    at("relevance", 0),
    at("relevance", 1),
    at("title,-amount_min", ["a", null]),
    at("-deadline_date,amount_min,title", ["2026-06-01", 5.25, "ß"], "desc"),
  ])("survives a URL: %j", (position) => {
    const text = writeCursor(position);
    expect(text).toMatch(/^[\w-]+$/);
    expect(text).toBe(encoded([position.sort_by, position.order, position.key, position.id]));
    expect(read(text)).toEqual({ success: true, data: position });
  });

  test.each([
    ["of another list's order", ["name", "asc", "a", id]],
    ["of no direction", ["title", "up", "a", id]],
    ["without an id", ["title", "asc", "a"]],
    ["with an id that is none", ["title", "asc", "a", "1"]],
    ["with something more", ["title", "asc", "a", id, 1]],
    ["that is no list", { sort_by: "title" }],
    ["with a title that is a number", ["title", "asc", 5, id]],
    ["with a title too long", ["title", "asc", "x".repeat(601), id]],
    ["with a title that cannot be stored", ["title", "asc", "a\0", id]],
    ["with no title", ["title", "asc", null, id]],
    ["with half a character", ["title", "asc", "\ud800", id]],
    ["with a date that is none", ["deadline_date", "asc", "2026-02-30", id]],
    ["with the year 0", ["deadline_date", "asc", "0000-01-01", id]],
    ["with a moment in the year 0", ["created_at", "asc", "0000-01-01T00:00:00.000Z", id]],
    ["with a moment in the year 0, to the microsecond", ["updated_at", "asc", "0000-01-01T00:00:00.000000Z", id]],
    ["with a moment to the second", ["created_at", "asc", "2026-06-01T00:00:00Z", id]],
    ["with a moment to the millisecond", ["updated_at", "asc", "2026-06-01T00:00:00.000Z", id]],
    ["with an amount that is text", ["amount_min", "asc", "5", id]],
    ["with a relevance over 1", ["relevance", "asc", 1.01, id]],
    ["with a relevance below 0", ["relevance", "asc", -0.01, id]],
    ["of several keys with one", ["title,amount_min", "asc", "a", id]],
    ["of several keys with more", ["title,amount_min", "asc", ["a", 1, 2], id]],
    ["of one key in a list", ["title", "asc", ["a"], id]],
    ["of another direction than its first key's", ["-title,amount_min", "asc", ["a", 1], id]],
    ["of four keys", ["title,amount_min,deadline_date,created_at", "asc", ["a", 1, null, null], id]],
  ])("%s is refused", (_, content) => {
    expect(read(encoded(content)).error?.issues).toMatchObject([
      { message: "must be `pagination.next` of the previous page, unchanged" },
    ]);
  });

  test.each([
    "",
    "!",
    "not base64",
    "e30",
    Buffer.from("[1").toString("base64url"),
    Buffer.from([0xff]).toString("base64url"),
  ])("is not %j", (text) => {
    expect(read(text).success).toBe(false);
  });

  test("has 4,000 characters at most", () => {
    // White space in JSON, so that the content stays right.
    const ofLength = (length: number) =>
      Buffer.from(JSON.stringify(["title", "asc", "a", id]).padEnd((length * 3) / 4, " ")).toString("base64url");
    expect(ofLength(4_000)).toHaveLength(4_000);
    expect(read(ofLength(4_000)).success).toBe(true);
    expect(read(ofLength(4_004)).success).toBe(false);
  });

  test("fixes the order of its list, and another is refused", () => {
    const text = writeCursor(at("title", "a", "asc"));
    const order = { sort_by: "title", order: "asc" };
    for (const also of ["", "&sort_by=title", "&order=asc", "&sort_by=title&order=asc"]) {
      expect(readQuery(`cursor=${text}${also}`, grantList)).toMatchObject({ ok: true, value: order });
    }
    expect(readQuery(`cursor=${text}&sort_by=amount_min&order=desc`, grantList)).toMatchObject({
      ok: false,
      problem: {
        errors: [
          {
            parameter: "cursor",
            message: "belongs to a list with sort_by=title; for sort_by=amount_min, start without a cursor",
          },
        ],
      },
    });
    expect(readQuery(`cursor=${text}&order=desc`, grantList)).toMatchObject({
      ok: false,
      problem: {
        errors: [
          { parameter: "cursor", message: "belongs to a list with order=asc; for order=desc, start without a cursor" },
        ],
      },
    });
    expect(readQuery("limit=1", grantList)).toMatchObject({ ok: true, value: { limit: 1 } });
  });

  test("of a ranked list needs its search", () => {
    const text = writeCursor(at("relevance", 0.5, "desc"));
    expect(readQuery(`cursor=${text}`, grantList)).toMatchObject({
      ok: false,
      problem: { errors: [{ parameter: "search", message: "is required when sort_by is relevance" }] },
    });
    expect(readQuery(`cursor=${text}&search=water`, grantList)).toMatchObject({ ok: true });
  });
});
