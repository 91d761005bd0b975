// Written by scripts/database-types.ts, as types.generated.ts is.

/** The latest migration: what a database must have for these functions. */
export const latestMigration = "20261204000040";
