import { expect, test } from "vitest";
import { entriesFor, hasWords, mayBeRequestId } from "../../../dashboard/src/palette/entries.ts";
import { type Press, shortcutOf } from "../../../dashboard/src/palette/shortcut.ts";

const press = (given: Partial<Press>): Press => ({
  ...{ key: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, isComposing: false },
  ...given,
});

test("Ctrl+K opens the palette, on a Mac ⌘K, also from a field", () => {
  expect(shortcutOf(press({ key: "k", ctrlKey: true }), true, false)).toBe("palette");
  expect(shortcutOf(press({ key: "K", metaKey: true }), true, true)).toBe("palette");
  expect(shortcutOf(press({ key: "k", ctrlKey: true }), false, true)).toBeUndefined();
  expect(shortcutOf(press({ key: "k", metaKey: true }), false, false)).toBeUndefined();
  for (const more of [{ shiftKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }]) {
    expect(shortcutOf(press({ key: "k", ctrlKey: true, ...more }), false, false)).toBeUndefined();
  }
});

test("a slash goes to the search, where no text is typed", () => {
  expect(shortcutOf(press({ key: "/" }), false, false)).toBe("search");
  expect(shortcutOf(press({ key: "/", shiftKey: true }), false, true)).toBe("search");
  expect(shortcutOf(press({ key: "/" }), true, false)).toBeUndefined();
  expect(shortcutOf(press({ key: "/", ctrlKey: true }), false, false)).toBeUndefined();
  expect(shortcutOf(press({ key: "/", isComposing: true }), false, false)).toBeUndefined();
});

test("entries have all words of the text, in any case", () => {
  expect(hasWords("Saved searches", "SEARCH sav")).toBe(true);
  expect(hasWords("Saved searches", "search key")).toBe(false);
  expect(hasWords("Usage", "")).toBe(true);
});

test("a request's id is one word with a digit or a dash", () => {
  expect(mayBeRequestId("5f6d0a3c-0000-4000-8000-000000000000")).toBe(true);
  expect(mayBeRequestId("nightly-sync-7")).toBe(true);
  for (const text of ["water", "agriculture", "two words-1", "a-1"]) expect(mayBeRequestId(text)).toBe(false);
});

test("an empty text has the pages, and a text searches for records by all of it", () => {
  const pages = [{ id: "page /keys", name: "API keys", icon: "key", href: "/keys" }] as const;
  const key = { id: "1", name: "nightly", display: "fo_live_Ab3d…wxyz", status: "revoked" };
  const known = { pages, keys: [key], request: undefined, records: [] } as unknown as Parameters<typeof entriesFor>[1];
  expect(entriesFor(" ", known).map(({ value }) => value)).toEqual(["Pages"]);
  const [keys, records] = entriesFor("NIGHT", known);
  expect(keys?.items).toMatchObject([{ href: "/keys", state: { key: "1" }, detail: "fo_live_Ab3d…wxyz, revoked" }]);
  expect(records?.items[0]).toMatchObject({ href: "/explorer?dataset=grants&search=NIGHT", state: { send: true } });
});
