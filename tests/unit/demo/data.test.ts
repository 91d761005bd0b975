import { expect, test } from "vitest";
import * as z from "zod";
import { parseData, phrases, readData } from "../../../local/demo/data.ts";

const schema = z.array(z.strictObject({ key: z.string(), needs: phrases }));

test("a data file that matches its schema gives its content", () => {
  expect(parseData("topics/x.json", '[{ "key": "water", "needs": ["Wells run dry."] }]', schema)).toEqual([
    { key: "water", needs: ["Wells run dry."] },
  ]);
});

test.each([
  [
    "an empty list",
    '[{ "key": "water", "needs": [] }]',
    /^local\/demo\/data\/topics\/x\.json is not valid: 0\.needs: /,
  ],
  ["an empty phrase", '[{ "key": "water", "needs": ["Wells run dry.", ""] }]', /0\.needs\.1: /],
  ["a misspelt member", '[{ "key": "water", "needs": ["Wells run dry."], "peple": [] }]', /0: .*peple/],
  ["another kind of value", "{}", /\(root\): /],
  ["text that is no JSON", "[,]", /^local\/demo\/data\/topics\/x\.json is not JSON: /],
])("%s is an error that names the file and the path", (_name, text, message) => {
  expect(() => parseData("topics/x.json", text, schema)).toThrow(message);
});

test("a missing data file is an error that names it", () => {
  expect(() => readData("topics/missing.json", schema)).toThrow(/data\/topics\/missing\.json/);
});
