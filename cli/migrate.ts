import { type Connection, closeAfter } from "../database/connection.ts";
import { migrateAnew } from "../database/dropped-schema.ts";
import { renewDocuments } from "../database/lexicon/seal.ts";
import { hasSchema, migrateBesideRequests, migrationState } from "../database/migrate.ts";
import { connectPostgres } from "../database/postgres.ts";
import { describeSchemaFaults, readSchemaFaults, restoreFunctions } from "../database/schema-faults.ts";
import { DataFolderError } from "../local/embedded/data-folder.ts";
import { print, printError } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { runCommand } from "./command.ts";
import { isEmbedded } from "./database.ts";
import { UsageError } from "./options.ts";

const help = `Brings a Postgres up to this version's schema, beside requests, in a few transactions. When one fails, those
before it stay: run it again, and it goes on. On Supabase, \`supabase db push\` applies the migrations; the embedded
database does it by itself.

Then it compares the schema with what the migrations made. When something is missing or was changed by hand, it
names that and ends with 1. What was added is nobody's fault.

At last it indexes records anew that an earlier version did, where this one reads their texts in another way: in
batches, beside requests. What is left of that when it is ended, or after two minutes in which others hold these
records, the dispatcher and the next import do.

usage: npm run migrate -- --database-url URL [--functions | --anew]

options:
  --database-url URL    the database (default: DATABASE_URL)
  --functions           make every function anew, as the latest migration did; data and tables stay as they are
  --anew                make the schema funding again, empty, in a database from which it was dropped
  --help`;

await runCommand({
  help,
  options: {
    "database-url": { type: "string" },
    functions: { type: "boolean", default: false },
    anew: { type: "boolean", default: false },
  },
  async run({ values: { "database-url": url = variable("DATABASE_URL"), functions, anew } }) {
    if (functions && anew) throw new UsageError("Say either --functions or --anew.");
    if (url === undefined) throw new UsageError("Say which database: --database-url URL, or DATABASE_URL.");
    return closeAfter(await connectPostgres(url), async (connection) => {
      await (anew ? requireDropped(connection) : refuseEmbedded(connection));
      const applied = await (anew ? migrateAnew(connection) : migrateBesideRequests(connection));
      print(applied.length === 0 ? "no migration is missing" : `applied ${applied.length} migrations`);
      if (functions) {
        await restoreFunctions(connection);
        print("made every function anew");
      }
      // PostgREST reads the schema anew. Supabase tells it by itself; where there is none, nobody listens.
      if (applied.length > 0 || functions) await connection.execute("notify pgrst, 'reload schema'");
      const faults = await readSchemaFaults(connection);
      if (faults.length === 0) {
        print("the schema is what its migrations made");
        const left = await renewDocuments(connection, print);
        // It is no failure of the upgrade.
        if (left !== undefined)
          printError(`Warning: some records are indexed as before: ${left}. The dispatcher and the next import go on.`);
        return 0;
      }
      printError(["The schema is not what its migrations made:", ...(await describeSchemaFaults(faults))]);
      printError(
        faults.every(({ kind }) => kind === "function")
          ? "npm run migrate -- --functions makes the functions anew."
          : 'docs/operate/upgrade.md, "A schema that was changed", says what to do.',
      );
      return 1;
    });
  },
});

/** Empties nothing: who wants to begin again drops the schema. */
async function requireDropped(connection: Connection): Promise<void> {
  if (await isEmbedded(connection)) {
    throw new DataFolderError(
      "This is the database of a running server. End the server, and set DATA_DIR to a new folder.",
    );
  }
  if (await hasSchema(connection)) {
    throw new UsageError("The database has the schema funding. --anew is for one from which it was dropped.");
  }
}

/** An embedded server upgrades its database when it starts, and keeps a copy; under it, its functions would be of another version than its database. */
async function refuseEmbedded(connection: Connection): Promise<void> {
  const { last, missing } = await migrationState(connection);
  if (last !== undefined && missing > 0 && (await isEmbedded(connection))) {
    throw new DataFolderError(
      "This is the database of a running server. End the server and start it again: it upgrades its database then, and keeps a copy.",
    );
  }
}
