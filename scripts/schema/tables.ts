/**
 * Writes the tables, types and sequences of a database as declarations: the files supabase/schemas/ROOM/tables/*.sql. Each object stays in the room whose
 * file declares it, in that file's order, and comments stay with the line that follows them.
 */
import type { Connection } from "../../database/connection.ts";

interface SchemaObject {
  kind: "type" | "sequence" | "table";
  name: string;
  /** Statements that declare it. */
  lines: string[];
  /** Statements that need other tables, or functions: foreign keys and triggers. */
  later: string[];
}

/** What stands in brackets: texts, and brackets within. */
type Brackets = (string | Brackets)[];

function readBrackets(sql: string): Brackets {
  const open: Brackets[] = [[]];
  for (const part of sql.match(/'(?:[^']|'')*'|[()]|[^'()]+/g) ?? []) {
    if (part === ")") {
      const closed = open.pop() as Brackets;
      open.at(-1)?.push(closed);
    } else if (part === "(") open.push([]);
    else open.at(-1)?.push(part);
  }
  return open[0] as Brackets;
}

/** The operator between the brackets within. */
const operatorOf = (brackets: Brackets) => brackets.find((part) => part === " and " || part === " or ");

/** Without the brackets that Postgres leaves out once it has read the SQL again: around the same operator, and around brackets alone. */
function withoutRepeats(brackets: Brackets): Brackets {
  const operator = operatorOf(brackets);
  const parts = brackets.flatMap((part) => {
    if (typeof part === "string") return [part];
    const within = withoutRepeats(part);
    return operator !== undefined && operatorOf(within) === operator ? within : [within];
  });
  const [only] = parts;
  return parts.length === 1 && Array.isArray(only) ? only : parts;
}

const joinBrackets = (brackets: Brackets): string =>
  brackets.map((part) => (typeof part === "string" ? part : `(${joinBrackets(part)})`)).join("");

/** SQL as people write it, from SQL as Postgres prints it: lower case but for what is in quotes, short names of types, and no cast of a text to text. */
function asWritten(printed: string): string {
  const sql = printed
    .replaceAll(/'(?:[^']|'')*'|"[^"]*"|[^'"]+/g, (part) => (/^['"]/.test(part) ? part : part.toLowerCase()))
    .replaceAll(/timestamp(\(\d\))? with time zone/g, "timestamptz$1")
    .replaceAll(/'::text\b(?!\[)/g, "'");
  return / check \(| when \(/.test(sql) ? joinBrackets(withoutRepeats(readBrackets(sql))) : sql;
}

/** Reads the objects of `funding` that no function is. */
export async function readObjects(connection: Connection): Promise<SchemaObject[]> {
  const rows = await connection.query<SchemaObject>(query);
  return rows.map(({ kind, name, lines, later }) => ({
    kind,
    name,
    lines: lines.map((line) => (line.startsWith("comment on") ? line : asWritten(line))),
    later: later.map(asWritten),
  }));
}

/** Key of a line that comments belong to: what it declares, and of which table. */
function* keyedLines(lines: Iterable<string>): Generator<{ key: string | undefined; line: string }> {
  let owner = "";
  for (const line of lines) {
    if (/^\s*(--|$)/.test(line)) {
      yield { key: undefined, line };
      continue;
    }
    const [, name] = /^create (?:unlogged )?(?:table|type|sequence) (\S+)/.exec(line) ?? [];
    if (name !== undefined) owner = name;
    const [declared = ""] =
      /^\s*(?:create (?:unique )?index \S+|create trigger \S+|.*add constraint \S+|constraint \S+|\S+)/.exec(line) ??
      [];
    yield { key: name ?? `${/^\s/.test(line) ? owner : ""} ${declared.trim()}`, line };
  }
}

/** Comments of a text, by the key of the line that they come before. */
function readComments(text: string): Map<string, string[]> {
  const comments = new Map<string, string[]>();
  let waiting: string[] = [];
  for (const { key, line } of keyedLines(text.split("\n"))) {
    if (key === undefined) {
      waiting = line === "" ? [] : [...waiting, line];
    } else {
      if (waiting.length > 0) comments.set(key, waiting);
      waiting = [];
    }
  }
  return comments;
}

function withComments(lines: readonly string[], comments: Map<string, string[]>): string {
  return [...keyedLines(lines)]
    .flatMap(({ key, line }) => [...((key !== undefined && comments.get(key)) || []), line])
    .join("\n");
}

/** Names that a text declares, in its order. */
const declaredNames = (text: string) =>
  [...text.matchAll(/^create (?:unlogged )?(?:table|type|sequence) funding\.(\w+)/gm)].map(([, name = ""]) => name);

/** The first lines of a text: what the file has. */
const headOf = (text: string) => /^(?:--.*\n)*/.exec(text)?.[0] ?? "";

/**
 * Texts of the files of tables, by name, and the objects that no file declares.
 *
 * @param files what there is: name and text.
 */
export function renderTables(
  objects: readonly SchemaObject[],
  files: readonly { name: string; text: string }[],
): { texts: Map<string, string>; homeless: string[] } {
  const byName = new Map(objects.map((object) => [object.name, object]));
  const declared = new Set<string>();
  const texts = new Map<string, string>();
  for (const { name, text } of files.filter(({ name: path }) => !path.endsWith("/triggers.sql"))) {
    const present = declaredNames(text).flatMap((one) => byName.get(one) ?? []);
    for (const object of present) declared.add(object.name);
    const comments = readComments(text);
    texts.set(name, `${headOf(text)}\n${present.map(({ lines }) => withComments(lines, comments)).join("\n\n")}\n`);
    if (!name.endsWith("/tables.sql")) continue;
    const triggers = name.replace(/tables\.sql$/, "triggers.sql");
    const before = files.find((file) => file.name === triggers)?.text ?? "";
    const head = headOf(before) || "-- Foreign keys and triggers of the tables here.\n";
    const later = present.filter((object) => object.later.length > 0);
    if (later.length === 0) continue;
    const laterComments = readComments(before);
    texts.set(triggers, `${head}\n${later.map((object) => withComments(object.later, laterComments)).join("\n\n")}\n`);
  }
  return {
    texts,
    homeless: objects.filter(({ name }) => !declared.has(name)).map(({ kind, name }) => `${kind} funding.${name}`),
  };
}

// An empty search path: Postgres names every schema then.
const query = `
with settings as materialized (select set_config('search_path', 'pg_catalog', true)),
relations as (
  select relation.*, format('funding.%I', relation.relname) as full_name from settings, pg_class as relation
  where relation.relnamespace = 'funding'::regnamespace and relation.relkind in ('r', 'c', 'S') and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = relation.oid and deptype = 'i' and relation.relkind = 'S')),
columns as (
  select attribute.attrelid, attribute.attnum as place,
    concat_ws(' ', format('  %I', attribute.attname), format_type(attribute.atttypid, attribute.atttypmod),
      case when attribute.attcollation <> type.typcollation then (
        select format('collate %I.%I', collnamespace::regnamespace, collname) from pg_collation where oid = attribute.attcollation) end,
      case when attribute.attnotnull and not exists (
        select from pg_constraint where conrelid = attribute.attrelid and contype = 'p' and attribute.attnum = any (conkey))
        and attribute.attidentity = '' then 'not null' end,
      case when attribute.attgenerated <> '' then format('generated always as (%s) stored', pg_get_expr(stored.adbin, stored.adrelid))
           when stored.oid is not null then format('default %s', pg_get_expr(stored.adbin, stored.adrelid)) end,
      case attribute.attidentity when 'a' then 'generated always as identity' when 'd' then 'generated by default as identity' end) as line
  from pg_attribute as attribute
  join pg_type as type on type.oid = attribute.atttypid
  left join pg_attrdef as stored on stored.adrelid = attribute.attrelid and stored.adnum = attribute.attnum
  where attribute.attnum > 0 and not attribute.attisdropped
  union all
  select conrelid, 10000 + row_number() over (order by position(contype::text in 'puxc'), conname collate "C"),
    format('  constraint %I %s', conname, pg_get_constraintdef(oid))
  from pg_constraint where contype in ('p', 'u', 'x', 'c'))
select case relkind when 'r' then 'table' when 'c' then 'type' else 'sequence' end as kind, relname as name,
  case relkind
    when 'S' then array[(
      select concat('create sequence ', full_name, ' as ', format_type(seqtypid, null),
        case when seqmax not in (2147483647, 9223372036854775807) then ' maxvalue ' || seqmax end, ';')
      from pg_sequence where seqrelid = relations.oid)]
    else
      array[format(case when relkind = 'c' then 'create type %s as (' when relpersistence = 'u' then 'create unlogged table %s (' else 'create table %s (' end, full_name)]
      || (select array_agg(line || case when is_last then '' else ',' end order by place)
          from (select line, place, place = max(place) over () as is_last from columns where attrelid = relations.oid) as column_line)
      || case when reloptions is null then ');' else format(') with (%s);', array_to_string(reloptions, ', ')) end
      || case when relrowsecurity then array[format('alter table %s enable row level security;', full_name)] else '{}' end
      || array(
        select format('alter table %s alter column %I set storage %s;', full_name, attname,
          case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end)
        from pg_attribute join pg_type on pg_type.oid = atttypid
        where attrelid = relations.oid and relkind = 'r' and attnum > 0 and not attisdropped and attstorage <> typstorage order by attnum)
      || array(
        select replace(pg_get_indexdef(indexrelid), ' USING btree', '') || ';'
        from pg_index join pg_class as index on index.oid = indexrelid
        where indrelid = relations.oid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
        order by index.relname collate "C")
      || array(
        select format('comment on column %s.%I is %L;', full_name, attname, description)
        from pg_description join pg_attribute on attrelid = objoid and attnum = objsubid
        where classoid = 'pg_class'::regclass and objoid = relations.oid order by attnum)
  end as lines,
  array(
    select format('alter table %s add constraint %I %s;', full_name, conname, pg_get_constraintdef(oid))
    from pg_constraint where conrelid = relations.oid and contype = 'f' order by conname collate "C")
  || array(
    select pg_get_triggerdef(oid) || ';' from pg_trigger where tgrelid = relations.oid and not tgisinternal order by tgname collate "C") as later
from relations
order by relkind, relname collate "C"`;
