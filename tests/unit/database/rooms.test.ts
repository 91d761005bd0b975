import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { definedFunctions, type FunctionFile, readFunctionFiles } from "../../../database/functions.ts";

/**
 * The rooms of supabase/schemas, and the direction of the calls between them. The table of its README says which rooms each room calls; a room
 * calls only rooms further up in the table. Calls are read from the text: from the bodies of functions, from SQL that they put together as text,
 * and from what else a file has, such as triggers and views.
 */

const readme = await readFile(new URL("../../../supabase/schemas/README.md", import.meta.url), "utf8");
const files = await readFunctionFiles();

/** Rooms that each room calls, in the README's order. */
const rooms = new Map(
  [...readme.matchAll(/^\| `([\w/]+)` \|.*\| ([^|]+) \|$/gm)].map(([, room = "", calls = ""]) => [
    room,
    [...calls.matchAll(/`([\w/]+)`/g)].map(([, called = ""]) => called),
  ]),
);

/** A call of a function that the files define. */
interface Call {
  file: string;
  /** Function that calls, or what comes before the file's first function. */
  caller: string;
  callee: string;
  /** File that defines the callee. */
  target: string;
}

function findCalls(schemas: readonly FunctionFile[]): Call[] {
  const homes = new Map(schemas.flatMap((file) => definedFunctions(file).map((name) => [name, file.name])));
  return schemas.flatMap((file) =>
    file.text.split(/^create or replace function (?=(?:funding|public)\.\w+\()/m).flatMap((part, position) => {
      const caller = position === 0 ? "(no function)" : (/^[\w.]+/.exec(part)?.[0] ?? "");
      const code = part.replace(/^\s*--.*$/gm, "").slice(position === 0 ? 0 : caller.length);
      const callees = [...code.matchAll(/\b(?:funding|public)\.\w+(?=\()/g)].map(([callee]) => callee);
      return [...new Set(callees)].flatMap((callee) => {
        const target = homes.get(callee);
        return target === undefined ? [] : [{ file: file.name, caller, callee, target }];
      });
    }),
  );
}

const roomOf = (file: string) => file.slice(0, file.lastIndexOf("/"));

/** Calls that the README's table does not have, each in a line. */
const wrongCalls = (schemas: readonly FunctionFile[]) =>
  findCalls(schemas)
    .filter(({ file, target }) => roomOf(file) !== roomOf(target) && !rooms.get(roomOf(file))?.includes(roomOf(target)))
    .map(({ file, caller, callee, target }) => `${file}: ${caller} calls ${callee}, which is in ${target}`);

/** Circles of calls, each with its files, sorted. */
function findCircles(schemas: readonly FunctionFile[]): string[] {
  const called = new Map<string, string[]>(schemas.map(({ name }) => [name, []]));
  for (const { file, target } of findCalls(schemas)) if (file !== target) called.get(file)?.push(target);
  const reach = (from: string) => {
    const reached = new Set(called.get(from));
    // The loop also visits what is added meanwhile.
    for (const file of reached) for (const next of called.get(file) ?? []) reached.add(next);
    return reached;
  };
  const reached = new Map(schemas.map(({ name }) => [name, reach(name)]));
  const circleOf = (file: string) =>
    [...reached.keys()].filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file));
  return [...new Set([...reached.keys()].map((file) => circleOf(file).sort().join(" ")))].filter((line) => line !== "");
}

test("each folder of functions is a room of the README, and each room has functions", () => {
  expect([...new Set(files.map(({ name }) => roomOf(name)))].sort()).toEqual([...rooms.keys()].sort());
});

test("a room calls only rooms that come before it in the README", () => {
  const order = [...rooms.keys()];
  const backward = [...rooms].flatMap(([room, calls]) =>
    calls
      .filter((called) => !order.slice(0, order.indexOf(room)).includes(called))
      .map((called) => `${room} calls ${called}`),
  );
  expect(backward).toEqual([]);
});

test("no function calls a function of a room that its own does not call", () => {
  expect(findCalls(files).length).toBeGreaterThan(1000);
  expect(wrongCalls(files)).toEqual([]);
});

test("rooms call each other as the README says, and no room is named there without need", () => {
  const called = new Set(findCalls(files).map(({ file, target }) => `${roomOf(file)} calls ${roomOf(target)}`));
  const unneeded = [...rooms]
    .flatMap(([room, calls]) => calls.map((other) => `${room} calls ${other}`))
    .filter((line) => !called.has(line));
  expect(unneeded).toEqual([]);
});

test("each call says the schema of the function, by which the other tests find it", () => {
  const names = new Set(files.flatMap(definedFunctions).map((name) => name.split(".")[1]));
  const bare = files.flatMap(({ name, text }) =>
    [...text.replace(/^\s*--.*$/gm, "").matchAll(/(?<![\w.$"']|\bas )\w+(?=\()/g)]
      .filter(([called]) => names.has(called))
      .map(([called]) => `${name} calls ${called}`),
  );
  expect(bare).toEqual([]);
});

test("a name that is put together calls functions from the topmost room alone", () => {
  const places = files
    .filter(({ text }) => /\b(?:funding|public)\.%(?:\d+\$)?[Is]\(/.test(text))
    .map(({ name }) => name);
  expect([...new Set(places.map(roomOf))]).toEqual([[...rooms.keys()].at(-1)]);
});

test("files call each other in no circle", () => {
  expect(findCircles(files)).toEqual([]);
});

describe("a call against the direction is found", () => {
  const planted = (text: string, place = "records/records.sql") =>
    files.map((file) => (file.name === place ? { ...file, text: `${file.text}${text}` } : file));

  test.each([
    [
      "in a function",
      "\ncreate or replace function funding.early(dataset text) returns bigint\nlanguage sql as $$\n  select funding.total(dataset, '{}')\n$$;\n",
      "funding.early",
    ],
    [
      "in SQL as text",
      "\ncreate or replace function funding.early() returns void\nlanguage plpgsql as $$\nbegin\n  execute format('select funding.total(%L, $1)', 'grants') using '{}';\nend\n$$;\n",
      "funding.early",
    ],
    [
      "in a trigger behind the last function",
      "\ncreate trigger counted after insert on funding.grants for each row execute function funding.total();\n",
      "funding.data_as_of",
    ],
    [
      "in a view behind the last function",
      "\ncreate view funding.counted as select funding.total('grants', '{}');\n",
      "funding.data_as_of",
    ],
  ])("%s", (_, text, caller) => {
    expect(wrongCalls(planted(text))).toEqual([
      `records/records.sql: ${caller} calls funding.total, which is in lists/totals.sql`,
    ]);
  });

  test("before the first function of a file", () => {
    const early = {
      name: "records/early.sql",
      text: "create view funding.counted as select funding.total('grants', '{}');\n",
    };
    expect(wrongCalls([...files, early])).toEqual([
      "records/early.sql: (no function) calls funding.total, which is in lists/totals.sql",
    ]);
  });

  test("but not in a comment", () => {
    expect(wrongCalls(planted("\n-- See funding.total('grants', '{}').\n"))).toEqual([]);
  });

  test("of two files of one room, as a circle", () => {
    const early =
      "\ncreate or replace function funding.early() returns timestamptz\nlanguage sql as $$\n  select funding.dispatch_now()\n$$;\n";
    expect(findCircles(planted(early, "foundation/settings.sql"))).toContain(
      "foundation/clock.sql foundation/settings.sql",
    );
  });
});
