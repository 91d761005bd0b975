import type { SchemaFault } from "../shared/database/rpc.ts";
import type { Connection } from "./connection.ts";
import { definedFunctions, readFunctionFiles } from "./functions.ts";
import { readFunctionsMigration } from "./migrate.ts";

/** Compares a database that has all migrations with what they made. Objects that an operator added are no faults. */
export async function readSchemaFaults(connection: Connection): Promise<SchemaFault[]> {
  const comparison = "funding.schema_faults()";
  const [found] = await connection.query<{ exists: boolean }>("select to_regprocedure($1) is not null as exists", [
    comparison,
  ]);
  if (found?.exists !== true) return [{ kind: "function", name: comparison, is_missing: true }];
  return connection.query<SchemaFault>(`select kind, name, is_missing from ${comparison}`);
}

/** Says each fault in a line: of a function, with the file that defines it. */
export async function describeSchemaFaults(faults: readonly SchemaFault[]): Promise<string[]> {
  const files = await readFunctionFiles();
  return faults.map(({ kind, name, is_missing }) => {
    const file = kind === "function" && files.find((one) => definedFunctions(one).includes(name.replace(/\(.*/, "")));
    const source = file ? ` (supabase/schemas/${file.name})` : "";
    return `the ${kind} ${name} ${is_missing ? "is missing" : "was changed"}${source}`;
  });
}

/** Makes every function anew, as the latest migration did. Data, tables and indexes stay as they are. */
export async function restoreFunctions(connection: Connection): Promise<void> {
  // Statements that are sent together are one transaction.
  await connection.execute(await readFunctionsMigration());
}

/**
 * Makes the functions anew if any is missing or was changed.
 *
 * @returns lines for the operator: the faults that were found, and what was done; none when there is no fault.
 */
export async function mendFunctions(connection: Connection): Promise<string[]> {
  const faults = await readSchemaFaults(connection);
  if (faults.length === 0) return [];
  const said = ["The schema is not what its migrations made:", ...(await describeSchemaFaults(faults))];
  if (faults.every(({ kind }) => kind !== "function")) return said;
  await restoreFunctions(connection);
  return [...said, "Every function was made anew."];
}
