/** Functions that show records: one query for each dataset, in the functions that list and score records, so that their plans are cached. */
import { orderNames, orders } from "../../shared/catalogue/orders.ts";
import type { Dataset } from "../../shared/datasets.ts";
import { absentValue, changeableFields, detailFields, type Field, ofEveryRecord, recordFields } from "./fields.ts";
import { cursorKey } from "./order-sql.ts";

export const recordPagesPath = "supabase/schemas/records/record_pages.sql";

/** SQL for a field over the row \`record\`, as the API shows it. */
function shown({ name, kind }: Field): string {
  if (name === "funder_name") {
    return "(select funders.name from funding.funders where funders.id = record.funder_id) as funder_name";
  }
  if (kind === "day") return `funding.iso_date(record.${name}) as ${name}`;
  if (kind === "moment") return `funding.moment(record.${name}) as ${name}`;
  return `record.${name}`;
}

/** Shown on awarded projects alone. */
const awarded = "project_end_date";

/** Query of one column, \`body\`, over the row \`record\`. \`further\` is added to its members. */
function recordQuery(dataset: Dataset, further: string): string {
  const fields = recordFields[dataset].filter(({ name }) => name !== awarded).map(shown);
  if (dataset === "funders") {
    return `select to_json(rendered) as body
      from (
        select ${fields.join(", ")}${further}
      ) as rendered`;
  }
  return `select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select ${fields.join(",\n               ")}
      ) as rendered
      cross join lateral (select rendered.*${further}) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.${awarded}) as ${awarded}${further}) as awarded`;
}

/** Key of each order in a cursor. A ranking writes its own. */
function cursorKeys(dataset: Dataset): string {
  return orderNames(dataset)
    .filter((name) => name !== "relevance")
    .map((name) => `          when '${name}' then to_json(${cursorKey(orders[name])})`)
    .join("\n");
}

function functionsOf(dataset: Dataset): string {
  return `
-- Page of a list of ${dataset}: the records with these ids, in the order of the ids. If there is one id more than the page has, another page follows, and
-- \`next\` is its cursor.
create or replace function funding.${dataset}_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  listed_page funding.listed_page;
begin
  listed_page.page := (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids[:page_size]) with ordinality as found(id, position)
    join funding.${dataset} as record using (id)
    cross join lateral (
      ${recordQuery(dataset, "")}
    ) as rendered);
  if cardinality(ids) > page_size then
    listed_page.next := (
      select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by
${cursorKeys(dataset)}
        end, 'id', record.id)
      from funding.${dataset} as record where record.id = ids[page_size]);
  end if;
  return listed_page;
end
$$;

-- Records of ${dataset} as the API shows them, each with its relevance_score, in the order of the ids.
create or replace function funding.${dataset}_scored(ids uuid[], scores double precision[]) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids, scores) with ordinality as found(id, score, position)
    join funding.${dataset} as record using (id)
    cross join lateral (
      ${recordQuery(dataset, ", found.score as relevance_score")}
    ) as rendered);
end
$$;
`;
}

/** Value of a detail that a source does not give. */
function absentInSql(field: Field): string {
  const value = absentValue(field);
  return `${value === "null" ? value : `'${value}'`}::json`;
}

/** Text of supabase/schemas/records/record_pages.sql. */
export function renderRecordPages(): string {
  const datasets = ["grants", "contracts", "funders"] as const;
  const details = detailFields.grants.filter(({ name }) => !ofEveryRecord.includes(name));
  return `-- Written by npm run schema from shared/responses/records.ts and details.ts: change those. Records as the API shows them.
${datasets.map(functionsOf).join("")}
-- SQL for a record as the API shows it: a query of one column, \`body\`, that reads the row named \`record\`. \`further\` adds members, as \`, EXPRESSION as
-- NAME\`. (Text in the statement is twice as fast as a function of the record, which would be called for each record.)
create or replace function funding.record_query(dataset text, further text default '') returns text
language sql immutable parallel safe as $query$
  select format(case dataset
${datasets.map((dataset) => `    when '${dataset}' then $record$\n      ${recordQuery(dataset, " %1$s")}\n    $record$`).join("\n")}
  end, further)
$query$;

-- Details of opportunities that sources give, and what each is where a source does not give it.
create or replace function funding.detail_members() returns table (name text, absent json)
language sql immutable parallel safe as $rules$
  values
${details.map((field) => `    ('${field.name}', ${absentInSql(field)})`).join(",\n")}
$rules$;

-- Fields of a record that the API shows, among its own or in its details, and whose changes it tells.
create or replace function funding.api_fields() returns text[]
language sql immutable parallel safe as $$
  select array[${changeableFields.map((name) => `'${name}'`).join(", ")}]
$$;
`;
}
