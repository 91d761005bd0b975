import { expect, test } from "vitest";
import { readChoice, writeChoice } from "../../../dashboard/src/members/account-choice.ts";
import { withMemory } from "../../../dashboard/src/storage.ts";

/** A storage as a browser has it that blocks site data. */
const blocked = () => {
  throw new DOMException("Access is denied", "SecurityError");
};
const newStorage = () => withMemory(blocked);

test("where the browser blocks site data, what is stored is there until the page is left", () => {
  const storage = newStorage();
  expect(storage.getItem("theme")).toBeNull();
  storage.setItem("theme", "dark");
  expect(storage.getItem("theme")).toBe("dark");
  storage.removeItem("theme");
  expect(storage.getItem("theme")).toBeNull();
});

test("what a full storage did not take is newer than what it has", () => {
  const taken = new Map([["theme", "light"]]);
  const storage = withMemory(() => ({
    getItem: (name) => taken.get(name) ?? null,
    setItem: blocked,
    removeItem: (name) => taken.delete(name),
  }));
  storage.setItem("theme", "dark");
  expect(storage.getItem("theme")).toBe("dark");
  storage.removeItem("theme");
  expect(storage.getItem("theme")).toBeNull();
});

test("a tab keeps its account when another tab chooses another, and a new tab begins with the last choice", () => {
  const [tab, newTab, browser] = [newStorage(), newStorage(), newStorage()];
  const accountIn = (one: typeof tab, userId = "ada") => readChoice(userId, one, browser);
  expect(accountIn(tab)).toBeUndefined();
  writeChoice(tab, "ada", undefined);
  writeChoice(browser, "ada", "account-2");
  expect([accountIn(tab), accountIn(newTab)]).toEqual([undefined, "account-2"]);
  writeChoice(newTab, "ada", "account-2");
  writeChoice(browser, "ada", undefined);
  expect([accountIn(tab), accountIn(newTab)]).toEqual([undefined, "account-2"]);
  expect([accountIn(newTab, "ben"), accountIn(newStorage())]).toEqual([undefined, undefined]);
});
