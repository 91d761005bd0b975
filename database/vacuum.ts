import type { Connection } from "./connection.ts";
import { withoutSessionTimeout } from "./without-statement-timeout.ts";

/** Vacuums and analyzes tables of the schema `funding`: PGlite has no autovacuum. No statement timeout ends it. */
export async function vacuum(connection: Connection, tables: readonly string[]): Promise<void> {
  await withoutSessionTimeout(connection, async () => {
    for (const table of tables) await connection.execute(`vacuum (analyze) funding.${table}`);
  });
}
