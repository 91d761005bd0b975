import * as z from "zod";
import { type Outcome, succeed } from "../http/problems.ts";
import { readJsonBody } from "./body.ts";

type Value = string | number | boolean;

function isValue(value: unknown): value is Value | Value[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.length > 0 && items.every((item) => ["string", "number", "boolean"].includes(typeof item));
}

const schema = z.record(
  z.string(),
  z.custom<Value | Value[]>(isValue, { error: "must be text, a number, true or false, or a list of these" }),
);

/** Reads a list query that is a JSON body. @returns it as a query string, in which the items of a list are repetitions. */
export async function readListBody(request: Request, names: readonly string[]): Promise<Outcome<string>> {
  const body = await readJsonBody(request, { names, schema });
  if (!body.ok) return body;
  const pairs = Object.entries(body.value).flatMap(([name, value]) =>
    [value].flat().map((item) => [name, String(item)]),
  );
  return succeed(String(new URLSearchParams(pairs)));
}
