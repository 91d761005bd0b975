import { existsSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import { listAddress, sourceOf } from "../../ingest/common-grants/address.ts";
import { InputError } from "../../ingest/errors.ts";
import { type DateOrder, dateOrders } from "../../ingest/fields/date.ts";
import type { PlaceReadingMode } from "../../ingest/fields/place.ts";
import type { MappingRequest } from "../../ingest/mapping/mapping.ts";
import { commonGrants } from "../../ingest/sources/common-grants.ts";
import { type GenericFormat, genericFormats } from "../../ingest/sources/generic.ts";
import { sources } from "../../ingest/sources/registry.ts";
import type { Source } from "../../ingest/sources/source.ts";
import { callerPath } from "../../local/caller-path.mjs";
import { datasets } from "../../shared/datasets.ts";
import { isTimeZone } from "../../shared/validation/time-zone.ts";
import { isWritable } from "../json-output.ts";
import { type Arguments, parseChoice, UsageError } from "../options.ts";

export const importOptions = {
  type: { type: "string" },
  map: { type: "string", multiple: true },
  set: { type: "string", multiple: true },
  pad: { type: "string", multiple: true },
  status: { type: "string", multiple: true },
  source: { type: "string" },
  dates: { type: "string" },
  records: { type: "string" },
  full: { type: "boolean" },
  partial: { type: "boolean" },
  force: { type: "boolean" },
  rejects: { type: "string" },
  notes: { type: "string" },
  "dry-run": { type: "boolean" },
  "no-fit": { type: "boolean" },
  places: { type: "string" },
  "time-zone": { type: "string" },
  "database-url": { type: "string" },
} as const;

/** A call of the command, checked. */
export interface ImportCommand {
  /** A known source, or any publisher's file with the mapping that the user gave. */
  kind: { source: Source } | { format: GenericFormat; request: MappingRequest };
  /** The command's first word: a source's name, or `ndjson` or `csv`. */
  importer: string;
  /** The `source` of the records. */
  source: string;
  /** Paths; undefined stands for standard input. Empty where an address is imported. */
  paths: (string | undefined)[];
  /** List of an API that is read instead of files. */
  address: URL | undefined;
  rejectsPath: string;
  /** File for what was left out of records. */
  notesPath: string;
  isDryRun: boolean;
  /** Order of day, month and year in dates of ndjson and csv; undefined: detect it in the file. */
  dates: DateOrder | undefined;
  /** Name of the list of records in a JSON document. */
  records: string | undefined;
  /** Whether to archive the source's records that the input does not have. Undefined: as the source says of such a file. */
  isFull: boolean | undefined;
  /** Whether to archive them even if they are many. */
  isForced: boolean;
  /** Whether to fit the lexicon afterwards, if the import made it stale. */
  isFitting: boolean;
  /** How states are read. */
  places: PlaceReadingMode;
  /** Time zone of the publisher, to be kept for the source. Undefined leaves what is kept. */
  timeZone: string | undefined;
  databaseUrl: string | undefined;
}

const placeReadingModes: readonly PlaceReadingMode[] = ["guess", "exact"];

/** @throws {UsageError} when the values make no sense. */
export function parseImportCommand({ values, positionals }: Arguments<typeof importOptions>): ImportCommand {
  const [importer, ...files] = positionals;
  if (importer === undefined || files.length === 0) {
    throw new UsageError("Expected a source and a file: npm run import -- SOURCE FILE");
  }
  if (values.full && values.partial) throw new UsageError("--full and --partial cannot be used together.");
  const address = parseAddress(importer, files);
  const paths = address === undefined ? files.map((file) => (file === "-" ? undefined : callerPath(file))) : [];
  const [first] = paths;
  const kind = parseKind(
    parseChoice("The source", importer, [...sources.map(({ name }) => name), ...genericFormats]),
    values,
  );
  const rejectsPath = checkOutputPath(
    "--rejects",
    values.rejects ?? `${address?.hostname ?? (first === undefined ? "stdin" : basename(first))}.rejects.ndjson`,
    paths,
  );
  return {
    kind,
    importer,
    source:
      "source" in kind
        ? values.source === undefined
          ? (address && sourceOf(address)) || (kind.source.recordSource ?? kind.source.name)
          : parseSource(values.source, undefined)
        : parseSource(values.source, first),
    paths,
    address,
    rejectsPath,
    notesPath: checkOutputPath("--notes", values.notes ?? notesPathBeside(rejectsPath), paths),
    dates: values.dates === undefined ? undefined : parseChoice("--dates", values.dates, dateOrders),
    records: values.records,
    isDryRun: values["dry-run"] ?? false,
    isFull: values.partial ? false : values.full,
    isForced: values.force ?? false,
    isFitting: !(values["no-fit"] ?? false),
    places: parseChoice("--places", values.places ?? "guess", placeReadingModes),
    timeZone: parseTimeZone(values["time-zone"]),
    databaseUrl: values["database-url"],
  };
}

/** Address of the API that is imported; undefined where files are. */
function parseAddress(importer: string, files: readonly string[]): URL | undefined {
  const given = files.find((file) => /^https?:/i.test(file));
  if (given === undefined || importer !== commonGrants.name) return undefined;
  if (files.length > 1) throw new UsageError("Import one address at a time.");
  try {
    return listAddress(given);
  } catch (error) {
    throw error instanceof InputError ? new UsageError(`The address ${error.message}.`) : error;
  }
}

interface GenericValues {
  type?: string;
  map?: string[];
  set?: string[];
  pad?: string[];
  status?: string[];
  source?: string;
  dates?: string;
  records?: string;
}

function parseKind(importer: string, values: GenericValues): ImportCommand["kind"] {
  const source = sources.find(({ name }) => name === importer);
  if (source !== undefined) {
    const given = (["type", "map", "set", "pad", "status", "source", "dates", "records"] as const).find(
      (option) => values[option] !== undefined && !(option === "source" && source === commonGrants),
    );
    if (given !== undefined) throw new UsageError(`--${given} is for ndjson and csv: ${importer} has its own mapping.`);
    return { source };
  }
  if (values.records !== undefined && importer !== "ndjson") throw new UsageError("--records is for ndjson.");
  const { map: maps = [], set: sets = [], pad: pads = [], status: statuses = [] } = values;
  return {
    format: parseChoice("The format", importer, genericFormats),
    request: { dataset: parseChoice("--type", values.type, datasets), maps, sets, pads, statuses },
  };
}

function parseSource(given: string | undefined, path: string | undefined): string {
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

/** Path for notes beside the reject file. What is no file, such as /dev/null, takes both. */
function notesPathBeside(rejectsPath: string): string {
  if (existsSync(rejectsPath) && !statSync(rejectsPath).isFile()) return rejectsPath;
  return `${rejectsPath.replace(/(\.rejects)?\.(ndjson|jsonl?)$/, "")}.notes.ndjson`;
}

function checkOutputPath(
  option: "--rejects" | "--notes",
  given: string,
  inputs: readonly (string | undefined)[],
): string {
  const path = callerPath(given);
  const isInput = (input: string | undefined) =>
    input !== undefined && existsSync(path) && existsSync(input) && realpathSync(path) === realpathSync(input);
  if (inputs.some(isInput)) {
    throw new UsageError(`${option} names the file that is imported, and would overwrite it.`);
  }
  if (!isWritable(path)) {
    throw new UsageError(
      `The ${option === "--rejects" ? "reject" : "notes"} file ${path} cannot be written there; ${option} FILE puts it elsewhere.`,
    );
  }
  return path;
}

/** @throws {UsageError} when there is no such time zone. */
function parseTimeZone(given: string | undefined): string | undefined {
  if (given === undefined || isTimeZone(given)) return given;
  throw new UsageError(
    `--time-zone must be the name of a time zone, for example America/Los_Angeles: ${given} is none.`,
  );
}
