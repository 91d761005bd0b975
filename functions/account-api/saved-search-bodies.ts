import * as z from "zod";
import { type Dataset, datasets } from "../../shared/datasets.ts";
import { withPlaces } from "../../shared/geography/query-places.ts";
import type { FieldError } from "../../shared/http/problems.ts";
import { digestFrequencies, weekdays } from "../../shared/responses/account/saved-searches.ts";
import { instant, name } from "../../shared/validation/fields.ts";
import { regionParameter } from "../../shared/validation/list.ts";
import { readQuery, repeatedNames } from "../../shared/validation/query.ts";
import { isTimeZone } from "../../shared/validation/time-zone.ts";
import { isFilterParameter, listParameters, readFilter } from "./webhook-filter.ts";

const hourError = "must be a whole number from 0 to 23";
const zoneError = "must be the name of a time zone, such as America/New_York, or UTC";
const digestError = "must be an object with frequency, weekday, hour and time_zone, or null";

/** Parameters of one page or one format, which are not saved. */
const unsaved = [
  "cursor",
  "offset",
  "limit",
  "count_only",
  "format",
  "facets",
  "facets_mode",
  "facets_sort_by",
  "archived_as_ids",
];

/** A search as it is stored: the query that its owner sees, and the filter that is applied. */
interface StoredSearch {
  dataset: Dataset;
  query: string;
  filter_query: string;
  filter: Record<string, unknown>;
}

/**
 * Reads a query string of a dataset's list. The filter is that of a webhook with this query: without orders, and with the words of a
 * semantic or hybrid search as keywords.
 */
function readSavedQuery(
  dataset: Dataset,
  text: string,
): { ok: true; value: StoredSearch } | { ok: false; errors: FieldError[] } {
  const read = withPlaces(readQuery(text, listParameters[dataset]), text);
  if (!read.ok) return { ok: false, errors: read.problem.errors ?? [{ parameter: "", message: read.problem.detail }] };
  const given = joined(new URLSearchParams(text.replace(/^\?/, "")), dataset);
  const query = new URLSearchParams(given.filter(([name]) => !unsaved.includes(name))).toString();
  const filterQuery = new URLSearchParams(given.filter(([name]) => isFilterParameter(name))).toString();
  const filter = readFilter(dataset, filterQuery);
  if (!filter.ok) return filter;
  return { ok: true, value: { dataset, query, filter_query: filterQuery, filter: filter.value.parameters } };
}

/**
 * Parameters with their values, without that of a region. A list of codes that is given several times is joined, so that it is stored in one form; names
 * have commas.
 */
function joined(parameters: URLSearchParams, dataset: Dataset): [string, string][] {
  const repeated = repeatedNames(listParameters[dataset].schema);
  const names = [...new Set(parameters.keys())].filter((name) => name !== regionParameter);
  return names.flatMap((name) => {
    const values = parameters.getAll(name);
    return (repeated.has(name) ? values : [values.join(",")]).map((value): [string, string] => [name, value]);
  });
}

const fields = {
  name: name(100).meta({ description: "Name of your choice: one line of 1 to 100 characters." }),
  dataset: z.enum(datasets, { error: `must be one of ${datasets.join(", ")}` }),
  query: z.string({ error: "must be a query string" }).meta({
    description: "Query string of the dataset's list. Its page and format are left out; empty is the whole list.",
    examples: ["search=drinking+water&states=OH"],
  }),
};

/** Returns the search that a query string means, or reports its invalid parameters as `query.NAME`. */
function parseStoredSearch(dataset: Dataset, query: string, context: z.core.$RefinementCtx): StoredSearch | undefined {
  const read = readSavedQuery(dataset, query);
  if (read.ok) return read.value;
  for (const { parameter, message } of read.errors) {
    context.addIssue({ code: "custom", path: ["query", ...(parameter === "" ? [] : [parameter])], message });
  }
  return undefined;
}

/** The body of a request that saves a search. */
export const createBody = {
  names: Object.keys(fields),
  schema: z
    .strictObject(fields)
    .transform(({ name, dataset, query }, context) => ({ name, ...parseStoredSearch(dataset, query, context) })),
};

/**
 * Schedule of a digest. A weekly one has its weekday; a weekday of a daily one is refused, since it would mean nothing.
 */
const digest = z
  .strictObject(
    {
      frequency: z.enum(digestFrequencies, { error: `must be one of ${digestFrequencies.join(", ")}` }),
      weekday: z
        .enum(weekdays, { error: `must be one of ${weekdays.join(", ")}, or null` })
        .nullable()
        .default(null)
        .meta({ description: "Day of a weekly digest; null for a daily one." }),
      hour: z
        .int({ error: hourError })
        .min(0, { error: hourError })
        .max(23, { error: hourError })
        .default(8)
        .meta({ description: "Hour of the day in `time_zone`. Where the clock skips it, an hour later." }),
      time_zone: z
        .string({ error: zoneError })
        .max(64, { error: zoneError })
        .refine(isTimeZone, { error: zoneError })
        .default("UTC")
        .meta({ description: "Name of a time zone, by IANA.", examples: ["America/New_York"] }),
    },
    { error: ({ code }) => (code === "unrecognized_keys" ? "is not a field of a digest" : digestError) },
  )
  .superRefine(({ frequency, weekday }, context) => {
    if ((frequency === "weekly") === (weekday !== null)) return;
    const message = frequency === "weekly" ? "is required for a weekly digest" : "must be null for a daily digest";
    context.addIssue({ code: "custom", path: ["weekday"], message });
  });

const changed = {
  digest: digest.nullable().optional().meta({
    description: "What is new, by e-mail to the account's address. Null ends it. Needs `has_mailer` of the list.",
  }),
  name: fields.name.optional(),
  dataset: fields.dataset.optional().meta({ description: "Needed beside `query`." }),
  query: fields.query.optional(),
};

/** The body of a request that changes a saved search. A query comes with its dataset. */
export const updateBody = {
  names: Object.keys(changed),
  schema: z.strictObject(changed).transform(({ digest, name, dataset, query }, context) => {
    if ((dataset === undefined) !== (query === undefined)) {
      const missing = dataset === undefined ? "dataset" : "query";
      context.addIssue({
        code: "custom",
        path: [missing],
        message: "must be given: a search is its dataset and query",
      });
    }
    return {
      ...(digest === undefined ? {} : { digest }),
      ...(name === undefined ? {} : { name }),
      ...(dataset === undefined || query === undefined ? {} : parseStoredSearch(dataset, query, context)),
    };
  }),
};

const seen = {
  until: instant().optional().meta({
    description: "Records that came before it are seen. Default: all that are there. A mark does not go back.",
  }),
};

/** The body of a request that marks records as seen. */
export const seenBody = { names: Object.keys(seen), schema: z.strictObject(seen) };
