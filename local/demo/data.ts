import { readFileSync } from "node:fs";
import * as z from "zod";

/** A list of phrases, of which the generator picks. */
export const phrases = z.array(z.string().min(1)).min(1);

/**
 * Reads one of the generator's data files.
 *
 * @param name of the file in `data/`: `funders/state-bodies.json`.
 * @throws if the file does not match its schema, naming the file and the path of each fault.
 */
export function readData<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  return parseData(name, readFileSync(new URL(`data/${name}`, import.meta.url), "utf8"), schema);
}

/** The content of a data file, checked; see `readData`. */
export function parseData<Schema extends z.ZodType>(name: string, text: string, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(name, text));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "(root)"}: ${message}`);
  throw new Error(`local/demo/data/${name} is not valid: ${faults.join("; ")}`);
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`local/demo/data/${name} is not JSON: ${(error as Error).message}`);
  }
}
