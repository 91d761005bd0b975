import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type DateOrder, dateOrders } from "../../ingest/fields/date.ts";
import type { PlaceReadingMode } from "../../ingest/fields/place.ts";
import type { MappingRequest } from "../../ingest/mapping/mapping.ts";
import type { Dataset } from "../../ingest/record.ts";
import { type GenericFormat, genericFormats } from "../../ingest/sources/generic.ts";
import { sources } from "../../ingest/sources/registry.ts";
import type { Source } from "../../ingest/sources/source.ts";
import { callerPath } from "../../local/caller-path.ts";
import { nearest } from "../../shared/validation/suggest.ts";
import { UsageError } from "../command.ts";
import { parseArgs } from "../parse-args.ts";

/** A call of the command, understood. */
export interface ImportCommand {
  /** What the rows are: a source that is known, or a file of any publisher's with a mapping. */
  kind: { source: Source } | { format: GenericFormat; request: MappingRequest };
  /** What the command called it: a source's name, or `ndjson` or `csv`. */
  importer: string;
  /** The `source` of the records. */
  source: string;
  /** Paths; undefined stands for standard input. */
  paths: (string | undefined)[];
  rejectsPath: string;
  isDryRun: boolean;
  /** What comes first in dates of ndjson and csv; undefined where the file itself is to show it. */
  dates: DateOrder | undefined;
  /** Whether records that the input does not have are to be archived. */
  isFull: boolean;
  /** Whether to archive them however many they are. */
  isForced: boolean;
  /** Whether to fit the lexicon afterwards, if the import made it stale. */
  isFitting: boolean;
  /** How states are found. */
  places: PlaceReadingMode;
  databaseUrl: string | undefined;
}

const placeReadingModes: readonly PlaceReadingMode[] = ["guess", "exact"];

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
      dates: { type: "string" },
      full: { type: "boolean" },
      partial: { type: "boolean" },
      force: { type: "boolean" },
      rejects: { type: "string" },
      "dry-run": { type: "boolean" },
      "no-fit": { type: "boolean" },
      places: { type: "string" },
      "database-url": { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return "help";
  const [importer, ...files] = positionals;
  if (importer === undefined || files.length === 0) {
    throw new UsageError("Expected a source and a file: npm run import -- SOURCE FILE");
  }
  if (values.full && values.partial) throw new UsageError("--full and --partial exclude each other.");
  const paths = files.map((file) => (file === "-" ? undefined : callerPath(file)));
  const [first] = paths;
  const kind = kindOf(oneOf("The source", importer, [...sources.map(({ name }) => name), ...genericFormats]), values);
  return {
    kind,
    importer,
    source: "source" in kind ? (kind.source.recordSource ?? kind.source.name) : sourceOf(values.source, first),
    paths,
    rejectsPath: rejectsPathOf(
      values.rejects ?? `${first === undefined ? "stdin" : basename(first)}.rejects.ndjson`,
      paths,
    ),
    dates: values.dates === undefined ? undefined : oneOf("--dates", values.dates, dateOrders),
    isDryRun: values["dry-run"] ?? false,
    isFull: values.full ?? (!values.partial && "source" in kind && kind.source.isFull),
    isForced: values.force ?? false,
    isFitting: !(values["no-fit"] ?? false),
    places: oneOf("--places", values.places ?? "guess", placeReadingModes),
    databaseUrl: values["database-url"],
  };
}

interface GenericValues {
  type?: string;
  map?: string[];
  set?: string[];
  pad?: string[];
  source?: string;
  dates?: string;
}

function kindOf(importer: string, values: GenericValues): ImportCommand["kind"] {
  const source = sources.find(({ name }) => name === importer);
  if (source !== undefined) {
    const given = (["type", "map", "set", "pad", "source", "dates"] as const).find(
      (option) => values[option] !== undefined,
    );
    if (given !== undefined) throw new UsageError(`--${given} is for ndjson and csv: ${importer} has its own mapping.`);
    return { source };
  }
  const { map: maps = [], set: sets = [], pad: pads = [] } = values;
  return {
    format: oneOf("The format", importer, genericFormats),
    request: { dataset: oneOf("--type", values.type, datasets), maps, sets, pads },
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

function rejectsPathOf(given: string, inputs: readonly (string | undefined)[]): string {
  const path = callerPath(given);
  const isInput = (input: string | undefined) =>
    input !== undefined && existsSync(path) && existsSync(input) && realpathSync(path) === realpathSync(input);
  if (inputs.some(isInput)) {
    throw new UsageError("--rejects names the file that is imported, and would overwrite it.");
  }
  try {
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
  } catch {
    throw new UsageError(`The reject file ${path} cannot be written there; --rejects FILE puts it elsewhere.`);
  }
  return path;
}
