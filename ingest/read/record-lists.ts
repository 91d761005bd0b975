import { sampleItems } from "./json-head.ts";

/** Fit of objects to a mapping: whether they have every required field, and how many of the mapping's columns. */
export interface Fit {
  isComplete: boolean;
  score: number;
}

type Objects = readonly Record<string, unknown>[];

/** Measures how well objects fit a mapping, without values within their lists. */
export type MeasureFit = (objects: Objects) => Fit;

/** List of objects in a JSON document. */
export interface RecordList {
  /** Names of the members that lead to it, with `*` for the items of a list; empty for the values at the top. */
  path: readonly string[];
  items: Objects;
}

/** The list whose items are the records, or the names of those of which it could be any. */
export type ChosenList = { list: RecordList } | { choices: string[] };

/** Name of the list that `--records` takes for the value at the top itself. */
export const topName = ".";

/** Returns a list's name for `--records`: its members, without the steps into lists. */
export function nameOfList(path: readonly string[]): string {
  return path.filter((step) => step !== "*").join(".") || topName;
}

/**
 * Chooses the records of a JSON document, by its first values:
 *
 * - A list at the top is the records.
 * - An object is a record if it has what the mapping requires, unless the items of a list in it have more of what is mapped.
 * - Otherwise, its only list of objects is the records. Of several, the user must choose.
 * - Items of that list, or several values one after the other, may be pages: objects that do not fit, each with a list of those that do.
 */
export function chooseRecords(values: readonly unknown[], measure: MeasureFit): ChosenList {
  const top = itemsAt(values);
  const own = measure(top.items);
  if (values.length > 1 || top.path.length > 0) return pagesIn(top, own, measure);
  const lists = findLists(top).map((list) => ({ ...list, ...measure(list.items) }));
  return own.isComplete ? topOrList(top, own, lists) : onlyList(top, own, lists, measure);
}

type MeasuredList = RecordList & Fit;

/** Chooses between an object that fits the mapping and the lists in it, for example of documents, or of grants of a publisher. */
function topOrList(top: RecordList, own: Fit, lists: readonly MeasuredList[]): ChosenList {
  const rivals = lists.filter(({ isComplete, score }) => isComplete && score >= own.score);
  const [first] = rivals;
  if (first === undefined) return { list: top };
  if (rivals.length === 1 && first.score > own.score) return { list: first };
  return { choices: [topName, ...rivals.map(({ path }) => nameOfList(path))] };
}

/** Chooses the only list of an object that does not fit the mapping. The object itself where it fits better, or has no list. */
function onlyList(top: RecordList, own: Fit, lists: readonly MeasuredList[], measure: MeasureFit): ChosenList {
  const full = lists.filter(({ items }) => items.length > 0);
  // An answer without results has an empty list.
  const candidates = full.length > 0 || own.score > 0 ? full : lists;
  const [only] = candidates;
  if (only === undefined || candidates.every(({ score }) => score < own.score)) return { list: top };
  if (candidates.length === 1) return pagesIn(only, only, measure);
  if (full.length === 0) return { list: top };
  const fitting = full.filter(({ isComplete }) => isComplete);
  return { choices: [...new Set([...fitting, ...full].map(({ path }) => nameOfList(path)))] };
}

/** Returns the list within a list's items that fits the mapping, where they do not fit it themselves; else the list. */
function pagesIn(list: RecordList, own: Fit, measure: MeasureFit): ChosenList {
  if (own.isComplete) return { list };
  const inner = findLists(list).map((found) => ({ ...found, ...measure(found.items) }));
  const fitting = inner.filter(({ isComplete, score }) => isComplete && score > own.score);
  const [only] = fitting;
  if (only === undefined) return { list };
  if (fitting.length > 1) return { choices: fitting.map(({ path }) => nameOfList(path)) };
  return { list: only };
}

/** Finds the lists at a name that `--records` gives: `results`, also written `.results[]`, `$.results[*]` or `results.*`. */
export function findNamedList(values: readonly unknown[], name: string): RecordList | undefined {
  const steps = toSteps(name);
  const top = itemsAt(values);
  if (steps.length === 0) return top;
  let items: readonly unknown[] = top.items;
  const path = [...top.path];
  for (const step of steps) {
    const found = items.flatMap((item) => (isObject(item) && Object.hasOwn(item, step) ? [item[step]] : []));
    if (found.length === 0) return undefined;
    const inner = itemsAt(found);
    path.push(step, ...inner.path);
    items = inner.items;
  }
  return path.at(-1) === "*" ? { path, items: items.filter(isObject) } : membersOf(path, items);
}

/** Objects that are the members of an object, each by its identifier. */
function membersOf(path: readonly string[], items: readonly unknown[]): RecordList | undefined {
  const members = items.flatMap((item) => (isObject(item) ? Object.values(item) : []));
  return members.length > 0 && members.every(isObject) ? { path: [...path, "*"], items: members } : undefined;
}

function toSteps(name: string): string[] {
  return name
    .replaceAll(/\[\*?\]/g, "")
    .split(".")
    .filter((step) => !["", "*", "$"].includes(step));
}

/** Names of the lists of objects in the first values, for a message. */
export function namesOfLists(values: readonly unknown[]): string[] {
  return findLists(itemsAt(values)).map(({ path }) => nameOfList(path));
}

/** The values themselves, or the items of those that are lists, however deep. */
function itemsAt(values: readonly unknown[]): RecordList {
  let items = values;
  const path: string[] = [];
  while (items.length > 0 && items.some(Array.isArray) && !items.some(isObject) && path.length < 3) {
    items = items.flatMap((item) => (Array.isArray(item) ? item : [])).slice(0, sampleItems);
    path.push("*");
  }
  return { path, items: items.filter(isObject) };
}

/** Finds the outermost lists of objects, and empty lists, within objects. */
function findLists({ path, items }: RecordList): RecordList[] {
  const members = new Map<string, unknown[]>();
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      if (typeof value === "object" && value !== null) members.set(name, [...(members.get(name) ?? []), value]);
    }
  }
  return [...members].flatMap(([name, values]) => {
    const lists = values.filter(Array.isArray);
    const objects = values.filter(isObject);
    const found = objects.length === 0 ? [] : findLists({ path: [...path, name], items: objects });
    if (lists.length === 0) return found;
    const inner = itemsAt(lists);
    const isEmpty = lists.every((list) => list.length === 0);
    return inner.items.length > 0 || isEmpty ? [...found, { ...inner, path: [...path, name, ...inner.path] }] : found;
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
