import { type Connection, queryOne } from "../../database/connection.ts";

/** Bug that a careless change to a database function could make. */
export interface PlantedBug {
  /** Name with its schema. Of several functions with one name, all that have the text are changed. */
  name: string;
  from: string;
  to: string;
}

/** Changes the text of a function in a database of a test. @returns what puts it back. */
export async function plantBug(connection: Connection, { name, from, to }: PlantedBug): Promise<() => Promise<void>> {
  const { definitions } = await queryOne<{ definitions: string[] }>(
    connection,
    `select coalesce(array_agg(pg_get_functiondef(oid)), '{}') as definitions from pg_proc
     where pronamespace = split_part($1, '.', 1)::regnamespace and proname = split_part($1, '.', 2) and position($2 in prosrc) > 0`,
    [name, from],
  );
  if (definitions.length === 0) throw new Error(`${name} has no "${from}"`);
  for (const definition of definitions) await connection.execute(definition.replaceAll(from, to));
  return async () => {
    for (const definition of definitions) await connection.execute(definition);
  };
}
