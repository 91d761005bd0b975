import type { Connection } from "../connection.ts";
import { BackupError } from "./format.ts";

/** JSON Schemas of settings, by name, as text. */
type SettingSchemas = ReadonlyMap<string, string>;

/** Schemas of the settings that the migrations have just made. Versions before 1.1 had none. */
export async function readSettingSchemas(transaction: Connection): Promise<SettingSchemas> {
  const [check] = await transaction.query("select where to_regprocedure('funding.check_setting()') is not null");
  if (check === undefined) return new Map();
  const rows = await transaction.query<{ name: string; schema: string }>(
    "select name, schema::text from funding.settings where schema is not null",
  );
  return new Map(rows.map(({ name, schema }) => [name, schema]));
}

/**
 * Refuses values that their settings cannot have. A restore loads rows without triggers, and a trigger checks settings: it is asked about
 * each row, in a savepoint that writes nothing. The schemas are the migrations': a file could bring others.
 *
 * @throws {BackupError} that names the first such setting.
 */
export async function requireSettings(transaction: Connection, schemas: SettingSchemas): Promise<void> {
  if (schemas.size === 0) return;
  const given = JSON.stringify([...schemas].map(([name, schema]) => ({ name, schema: JSON.parse(schema) as unknown })));
  const [wrong] = await transaction.query<{ name: string }>(
    `select settings.name from funding.settings join jsonb_to_recordset($1::jsonb) as made(name text, schema jsonb) using (name)
     where settings.schema is distinct from made.schema order by 1`,
    [given],
  );
  if (wrong !== undefined)
    throw new BackupError(`The backup has the setting ${wrong.name} with another range. Nothing was restored.`);
  try {
    await transaction.execute(`savepoint settings; set local session_replication_role = origin;
      update funding.settings set value = value; rollback to savepoint settings`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "PT400" || !(error instanceof Error)) throw error;
    throw new BackupError(`${error.message} The backup has it so: nothing was restored.`);
  }
}
