import { type Connection, queryOne } from "../../database/connection.ts";

/** Bug that a careless change to a database function could make. */
export interface PlantedBug {
  /** Name with its schema. Of several functions with one name, all that have the text are changed. */
  name: string;
  from: string;
  to: string;
}

/**
 * Definitions of the functions that have the text of a bug.
 *
 * @throws {Error} where none has it: the function has changed since the bug was written down.
 */
export async function definitionsWith(connection: Connection, { name, from }: PlantedBug): Promise<string[]> {
  const { definitions } = await queryOne<{ definitions: string[] }>(
    connection,
    `select coalesce(array_agg(pg_get_functiondef(oid)), '{}') as definitions from pg_proc
     where pronamespace = split_part($1, '.', 1)::regnamespace and proname = split_part($1, '.', 2) and position($2 in prosrc) > 0`,
    [name, from],
  );
  if (definitions.length === 0) throw new Error(`${name} has no "${from}"`);
  return definitions;
}

/** Changes the text of a function in a database of a test. @returns what puts it back. */
export async function plantBug(connection: Connection, bug: PlantedBug): Promise<() => Promise<void>> {
  const definitions = await definitionsWith(connection, bug);
  for (const definition of definitions) await connection.execute(definition.replaceAll(bug.from, bug.to));
  return async () => {
    for (const definition of definitions) await connection.execute(definition);
  };
}
