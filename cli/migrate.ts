import { migrate } from "../database/migrate.ts";
import { connectPostgres } from "../database/postgres.ts";
import { variable } from "../shared/platform/environment.ts";
import { runCommand, UsageError } from "./command.ts";
import { parseArgs } from "./parse-args.ts";

const help = `Brings a Postgres up to this version's schema. On Supabase, \`supabase db push\` does the same; the
embedded database does it by itself.

usage: npm run migrate -- --database-url URL

options:
  --database-url URL    the database (default: DATABASE_URL)
  --help`;

await runCommand(async (words) => {
  const { values } = parseArgs({
    args: words,
    options: { "database-url": { type: "string" }, help: { type: "boolean", default: false } },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const url = values["database-url"] ?? variable("DATABASE_URL");
  if (url === undefined) throw new UsageError("Say which database: --database-url URL, or DATABASE_URL.");
  const connection = await connectPostgres(url);
  try {
    const applied = await migrate(connection);
    console.log(applied.length === 0 ? "nothing to do" : `applied ${applied.length} migrations`);
  } finally {
    await connection.close();
  }
  return 0;
});
