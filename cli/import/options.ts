import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Format, formats } from "../../ingest/read/row.ts";
import type { Dataset } from "../../ingest/record.ts";
import { nearest } from "../../shared/validation/suggest.ts";
import { UsageError } from "../command.ts";

/** A call of the command, understood. */
export interface ImportCommand {
  format: Format;
  dataset: Dataset;
  /** Undefined for standard input. */
  path: string | undefined;
  /** What messages call the input. */
  name: string;
  source: string;
  maps: string[];
  sets: string[];
  pads: string[];
  rejectsPath: string;
  isDryRun: boolean;
  /** Whether to fit the lexicon afterwards, if the import made it stale. */
  isFitting: boolean;
  databaseUrl: string | undefined;
}

const datasets: readonly Dataset[] = ["grants", "contracts", "funders"];

/** @throws {UsageError} when the words make no sense. */
export function readOptions(words: string[]): ImportCommand | "help" {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      type: { type: "string" },
      map: { type: "string", multiple: true },
      set: { type: "string", multiple: true },
      pad: { type: "string", multiple: true },
      source: { type: "string" },
      rejects: { type: "string" },
      "dry-run": { type: "boolean" },
      "no-fit": { type: "boolean" },
      "database-url": { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return "help";
  const [format, file, ...others] = positionals;
  if (format === undefined || file === undefined || others.length > 0) {
    throw new UsageError(
      "Expected a format and a file: npm run import -- ndjson|csv FILE --type grants|contracts|funders",
    );
  }
  const path = file === "-" ? undefined : file;
  const name = path === undefined ? "stdin" : basename(path);
  return {
    format: oneOf("The format", format, formats),
    dataset: oneOf("--type", values.type, datasets),
    path,
    name: path ?? "Standard input",
    source: sourceOf(values.source, path),
    maps: values.map ?? [],
    sets: values.set ?? [],
    pads: values.pad ?? [],
    rejectsPath: rejectsPathOf(values.rejects ?? `${name}.rejects.ndjson`, path),
    isDryRun: values["dry-run"] ?? false,
    isFitting: !(values["no-fit"] ?? false),
    databaseUrl: values["database-url"],
  };
}

function oneOf<Value extends string>(what: string, given: string | undefined, allowed: readonly Value[]): Value {
  const found = allowed.find((value) => value === given);
  if (found !== undefined) return found;
  if (given === undefined) throw new UsageError(`${what} is missing: expected one of ${allowed.join(", ")}.`);
  const meant = nearest(given, allowed);
  throw new UsageError(
    `${what} must be one of ${allowed.join(", ")}, not ${given}${meant === undefined ? "" : ` (did you mean ${meant}?)`}.`,
  );
}

function sourceOf(given: string | undefined, path: string | undefined): string {
  if (given === undefined && path === undefined)
    throw new UsageError("Standard input has no name, so --source must say where the records are from.");
  const slug = slugOf(given ?? basename(path ?? "").replace(/\.[^.]*$/, ""));
  if (slug === "") throw new UsageError("--source must have a letter or digit, for example grants-gov.");
  if (given !== undefined && given !== slug)
    throw new UsageError(`--source must be lower-case letters, digits and hyphens: ${slug}, for example.`);
  return slug;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64);
}

function rejectsPathOf(path: string, input: string | undefined): string {
  if (input !== undefined && existsSync(path) && existsSync(input) && realpathSync(path) === realpathSync(input)) {
    throw new UsageError("--rejects names the file that is imported, and would overwrite it.");
  }
  try {
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
  } catch {
    throw new UsageError(`The reject file ${path} cannot be written there; --rejects FILE puts it elsewhere.`);
  }
  return path;
}
