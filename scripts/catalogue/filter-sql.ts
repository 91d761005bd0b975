/** Writes catalogue.sql and detail_fields.sql of supabase/schemas/requests: the declarations of shared/catalogue as rows, over which the functions of filters loop. */
import { filters, measuredFields, presentation, valueFields } from "../../shared/catalogue/filters.ts";
import type { Comparison, Filter, ValueField } from "../../shared/catalogue/rules.ts";
import { orderRows } from "./order-sql.ts";

export const cataloguePath = "supabase/schemas/requests/catalogue.sql";
export const detailFieldsPath = "supabase/schemas/requests/detail_fields.sql";

const literal = (value: string | undefined) => (value === undefined ? "null" : `'${value.replaceAll("'", "''")}'`);
const array = (values: readonly string[]) => `'{${values.join(",")}}'`;
const rows = (items: string[][]) => items.map((cells) => `    (${cells.join(", ")})`).join(",\n");

/** SQL type by which a measured value is compared. */
const types = { number: "double precision", day: "date", moment: "timestamptz" };
const operators = { from: ">=", upto: "<=", above: ">", below: "<" };

/** A value that a filter wants, in the form in which it is compared, as SQL. */
const formed = {
  exact: (value: string) => value,
  lower: (value: string) => `lower(${value})`,
  upper: (value: string) => `upper(${value})`,
  agency: (value: string) => `funding.name_key(${value})`,
  status: (value: string) => `lower(${value})`,
  uuid: (value: string) => `(${value})::uuid`,
};

/** A column's value in the form in which it is compared, as SQL. */
function stored({ column, form }: ValueField): string {
  return form === "upper" ? `upper(record.${column})` : `record.${column}`;
}

const lengths = ({ beginnings }: ValueField) => (beginnings === undefined ? "null" : `'{${beginnings.join(",")}}'`);

function fieldOf(name: string): ValueField {
  const field = (valueFields as Record<string, ValueField>)[name];
  if (field === undefined) throw new Error(`shared/catalogue has no value field ${name}`);
  return field;
}

function measured(name: string) {
  const field = measuredFields[name];
  if (field === undefined) throw new Error(`shared/catalogue has no measured field ${name}`);
  return field;
}

/** SQL condition of a filter, which wants one value; undefined where `funding.own_condition` or `funding.range_condition` makes it. */
function condition(name: string, compare: Comparison): string | undefined {
  switch (compare.kind) {
    case "condition":
      return compare.condition;
    case "value": {
      const field = fieldOf(compare.field);
      if (field.path !== undefined) {
        return `funding.detail_keys(record.details) && funding.wanted_names(${literal(compare.field)}, ${literal(field.form)}, $1->${literal(name)})`;
      }
      const wanted = formed[field.form](`$1->>${literal(name)}`);
      return field.keys === undefined ? `${stored(field)} = ${wanted}` : `${field.keys} @> array[${wanted}]`;
    }
    case "from":
    case "upto":
    case "above":
    case "below": {
      const field = measured(compare.field);
      return `${field.value} ${operators[compare.kind]} ($1->>${literal(name)})::${types[field.type]}`;
    }
    default:
      return undefined;
  }
}

/** SQL condition of a filter that wants several values; undefined where that is the condition for one. */
function conditionOfSeveral(name: string, compare: Comparison): string | undefined {
  if (compare.kind !== "value") return undefined;
  const field = fieldOf(compare.field);
  if (field.path !== undefined) return undefined;
  const wanted = `funding.wanted_values(${literal(field.form)}, $1->${literal(name)})`;
  if (field.keys !== undefined) return `${field.keys} && ${wanted}`;
  return `${stored(field)} = any (${wanted}${field.form === "uuid" ? "::uuid[]" : ""})`;
}

/** Field of the bitmaps or ranks that answer a filter. */
function indexedField(name: string, { compare, bitmaps, facet }: Filter): string | undefined {
  if (compare.kind === "value") return fieldOf(compare.field).hasBitmaps === false ? undefined : compare.field;
  if ("field" in compare) return compare.field;
  return bitmaps !== undefined || (facet !== undefined && name in valueFields) ? name : undefined;
}

function ruleRow([name, filter]: [string, Filter]): string[] {
  const { compare, datasets } = filter;
  const value = compare.kind === "value" ? fieldOf(compare.field) : undefined;
  const size = "field" in compare && compare.kind !== "value" ? measured(compare.field) : undefined;
  return [
    array(datasets),
    literal(name),
    literal(compare.kind),
    literal(condition(name, compare)),
    literal(conditionOfSeveral(name, compare)),
    literal(value?.within?.("%1$s")),
    literal(indexedField(name, filter)),
    literal(value?.form ?? size?.type),
    literal(size?.value),
    String(size?.isRanked ?? value?.hasBitmaps ?? true),
    String("isAlways" in compare),
    String("isExcluding" in compare),
    value === undefined ? "null" : lengths(value),
  ];
}

function facetRow([name, { datasets, facet, compare }]: [string, Filter]): string[] {
  if (typeof facet === "object") {
    return [array(datasets), ...[name, facet.values, undefined, facet.chosen, facet.foundByAll].map(literal), "null"];
  }
  if (compare.kind !== "value") throw new Error(`the facet of ${name} has to be declared`);
  const field = fieldOf(compare.field);
  const { form, values } = field;
  const key = { exact: undefined, uuid: undefined, status: "(funding.statuses_meant(value))[1]" };
  const chosen = `funding.wanted_values(${literal(form)}, $1->${literal(name)})`;
  return [
    array(datasets),
    ...[name, values, form in key ? key[form as keyof typeof key] : formed[form]("value"), chosen, undefined].map(
      literal,
    ),
    lengths(field),
  ];
}

const entries = Object.entries<Filter>(filters);

/** SQL for the names of a record's bitmaps that a filter reads. Those of details are the keys of `funding.detail_keys`. */
function bitmapsOf([, { bitmaps, compare }]: [string, Filter]): string | undefined {
  if (bitmaps !== undefined || compare.kind !== "value") return bitmaps;
  const field = fieldOf(compare.field);
  if (field.column === undefined || field.hasBitmaps === false) return undefined;
  const name = (value: string) => `funding.bitmap_name(${literal(compare.field)}, ${value})`;
  if (field.keys !== undefined) return `array(select ${name("value")} from unnest(${field.keys}) as value)`;
  if (field.beginnings === undefined) return `array[${name(stored(field))}]`;
  return `array(select ${name("code")} from unnest(funding.beginnings_of(${stored(field)}, ${lengths(field)})) as code)`;
}

/** Datasets whose records have bitmaps, by the SQL of their names. */
const bitmapsOfDatasets = new Map<string, Set<string>>();
for (const entry of entries) {
  const names = bitmapsOf(entry);
  if (names === undefined) continue;
  bitmapsOfDatasets.set(names, new Set([...(bitmapsOfDatasets.get(names) ?? []), ...entry[1].datasets]));
}
const bitmapRows = [...bitmapsOfDatasets].map(([names, of]) => [array([...of]), literal(names)]);

const detailRows = Object.entries<ValueField>(valueFields).flatMap(([name, field]) =>
  field.path === undefined
    ? []
    : [[literal(name), `${literal(field.path)}::jsonpath`, literal(field.form), `${lengths(field)}::integer[]`]],
);

const withoutBitmaps = Object.entries<ValueField>(valueFields).flatMap(([name, { path, hasBitmaps }]) =>
  path !== undefined && hasBitmaps === false ? [name] : [],
);

const measuredRows = Object.entries(measuredFields).flatMap(([name, { value, type, isRanked, sortColumn }]) =>
  isRanked
    ? [
        [
          literal(name),
          literal(type === "number" ? value : `extract(epoch from ${value})::double precision`),
          literal(sortColumn),
        ],
      ]
    : [],
);

/** Fields that a dataset's segments are made with. */
const indexed = new Map<string, Set<string>>();
for (const [name, filter] of entries) {
  const field = indexedField(name, filter);
  if (field === undefined || measuredFields[field]?.isRanked === false) continue;
  const names =
    (valueFields as Record<string, ValueField>)[field]?.beginnings === undefined
      ? [field]
      : [field, `${field} beginnings`];
  for (const one of names) indexed.set(one, new Set([...(indexed.get(one) ?? []), ...filter.datasets]));
}
const indexedRows = [...indexed].map(([field, of]) => [array([...of]), literal(field)]);

/** Rows whose first cell is a list of datasets. The type of the first is that of all, so that none is read at each call. */
function rowsOfDatasets(cells: string[][]): string {
  return rows(cells.map(([of, ...others], index) => [index === 0 ? `${of}::text[]` : String(of), ...others]));
}

/** Text of the file. */
export function renderCatalogue(): string {
  return `-- Written by npm run schema from shared/catalogue: change that. Rows about fields and filters, over which other functions loop.

-- Filters of a dataset, in their order. All of it is one constant, which is made once for each plan: rows of \`values\` take 34 us at each call, these 8.
create or replace function funding.filter_rules(dataset text) returns setof funding.filter_rule
language sql immutable parallel safe as $rules$
  select rule.*
  from unnest(array[
${entries.map((entry) => `    row(${ruleRow(entry).join(", ")})`).join(",\n")}
  ]::funding.filter_rule[]) as rule
  where dataset = any (rule.datasets)
$rules$;

-- Parameters of a list's order, pages and format, which do not filter.
create or replace function funding.presentation_parameters() returns text[]
language sql immutable parallel safe as $rules$
  select array[${presentation.map(literal).join(", ")}]
$rules$;

-- Facets of a dataset. Each member is SQL over the row \`record\`, the text \`value\` or the filter $1:
--
-- \`values_of\` is a record's values, each once. \`key\` is the same for values that the parameter takes together, or null where the parameter takes each
-- by itself. \`chosen\` has the keys that the parameter has in a filter, or beginnings of them, whose lengths are \`beginnings\`. \`found_by_all\` is whether
-- every value finds the record.
create or replace function funding.facet_fields(dataset text)
returns table (name text, values_of text, key text, chosen text, found_by_all text, beginnings integer[])
language sql immutable parallel safe as $rules$
  select facet.name, facet.values_of, facet.key, facet.chosen, facet.found_by_all, facet.beginnings::integer[]
  from (values
${rowsOfDatasets(entries.filter(([, { facet }]) => facet !== undefined).map(facetRow))}
  ) as facet(datasets, name, values_of, key, chosen, found_by_all, beginnings)
  where dataset = any (facet.datasets)
$rules$;

-- Names of a record's bitmaps, as SQL over the row \`record\`: arrays, in which some names are null or repeated.
create or replace function funding.bitmap_fields(dataset text) returns setof text
language sql immutable parallel safe as $rules$
  select field.names
  from (values
${rowsOfDatasets(bitmapRows)}
  ) as field(datasets, names)
  where dataset = any (field.datasets)
$rules$;

-- Fields of a dataset that its segments have bitmaps or ranks of.
create or replace function funding.indexed_fields(dataset text) returns text[]
language sql immutable parallel safe as $rules$
  select coalesce(array_agg(indexed.field), '{}')
  from (values
${rowsOfDatasets(indexedRows)}
  ) as indexed(datasets, field)
  where dataset = any (indexed.datasets)
$rules$;

-- Fields of opportunities that are compared by size, and their values as SQL; \`sort_column\` is the column of the lists' order, if they have one by it.
create or replace function funding.ranked_fields(dataset text) returns table (field text, value text, sort_column text)
language sql immutable parallel safe as $rules$
  select ranked.field, ranked.value, ranked.sort_column
  from (values
${rows(measuredRows)}
  ) as ranked(field, value, sort_column)
  where dataset <> 'funders'
$rules$;

-- Orders of lists: SQL for what is sorted by, over the row \`record\` or over \`found\` of a ranking, the same as cursors show it, its type, and whether
-- records may lack it.
create or replace function funding.list_orders() returns table (name text, key text, cursor_key text, type text, has_nulls boolean)
language sql immutable parallel safe as $rules$
  values
${rows(orderRows(literal))}
$rules$;
`;
}

/** Text of supabase/schemas/requests/detail_fields.sql. `funding.detail_keys` loops over it, and rows of filters name that. */
export function renderDetailFields(): string {
  return `-- Written by npm run schema from shared/catalogue: change those.

-- Details that filters look for values in, with the JSON path of the values, and lengths of their beginnings that are looked for, too.
create or replace function funding.detail_fields() returns table (field text, path jsonpath, form text, beginnings integer[])
language sql immutable parallel safe as $rules$
  values
${rows(detailRows)}
$rules$;

-- Those of them that have too many values for a bitmap each.
create or replace function funding.details_without_bitmaps() returns text[]
language sql immutable parallel safe as $rules$
  select array[${withoutBitmaps.map(literal).join(", ")}]
$rules$;
`;
}
