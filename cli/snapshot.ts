import { resolve } from "node:path";
import { closeAfter } from "../database/connection.ts";
import { callerPath, dataFolderPath } from "../local/caller-path.mjs";
import { publishedFolder } from "../local/embedded/snapshot-folder.ts";
import { print, printError } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { UsageError } from "./options.ts";
import { formatCount } from "./progress.ts";
import { openR2Bucket, openSupabaseBucket } from "./snapshot/buckets.ts";
import { openFrozenDatabase } from "./snapshot/frozen-database.ts";
import { type Bucket, keepLatestPublished, publishSnapshot } from "./snapshot/publish.ts";
import { keepLatest, writeSnapshot } from "./snapshot/write-snapshot.ts";

const help = `Writes the catalogue to files, as of one moment: all current grants, contracts and funders with their details, as JSON
Lines and CSV, and what changed since the last snapshot there. Each snapshot is a folder named after its time, with a
manifest: counts, how fresh the data is, and the SHA-256 of each file. GET /snapshots lists those that are published.

usage: npm run snapshot -- [TARGET] [--keep NUMBER] [--database-url URL]

TARGET is one of
  FOLDER                a folder; without a TARGET that which the embedded server publishes, snapshots in DATA_DIR
  supabase:BUCKET       publishes to a private bucket of Supabase Storage; needs SUPABASE_URL and SUPABASE_SECRET_KEY
  r2:BUCKET             publishes to a bucket of Cloudflare R2; needs Wrangler to be signed in, or CLOUDFLARE_API_TOKEN

options:
  --keep NUMBER         removes all but so many of the latest snapshots (default: keeps all)
  ${databaseUrlHelp}
  --help`;

const onDataset = (dataset: string, records: number) => printError(`  ${dataset}: ${formatCount(records)} records`);
const onRemoved = (ids: string[]) => {
  for (const id of ids) printError(`  removed ${id}`);
};

await runCommand({
  help,
  options: { "database-url": { type: "string" }, keep: { type: "string" } },
  allowPositionals: true,
  async run({ positionals: [target, ...more], values: { "database-url": url = variable("DATABASE_URL"), keep } }) {
    if (more.length > 0) throw new UsageError("There is one TARGET: npm run snapshot -- FOLDER.");
    if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep)) throw new UsageError("--keep must be a number from 1.");
    const count = keep === undefined ? undefined : Number(keep);
    const [, kind, name] = /^(supabase|r2):(.*)$/.exec(target ?? "") ?? [];
    if (kind === undefined || name === undefined) await writeToFolder(target, url, count);
    else await publish(`${kind}:${name}`, await openBucket(kind, name), url, count);
  },
});

async function writeToFolder(target: string | undefined, url: string | undefined, keep: number | undefined) {
  const path = target === undefined ? publishedFolder(dataFolderPath()) : resolve(callerPath(target));
  const { connection, settledUntil } = await openFrozenDatabase(url);
  const { id } = await closeAfter(connection, () =>
    writeSnapshot(connection, path, { onDataset, ...(settledUntil !== undefined && { settledUntil }) }),
  );
  if (keep !== undefined) onRemoved(await keepLatest(path, keep));
  print(`${(target ?? path).replace(/\/+$/, "")}/${id}`);
}

async function publish(location: string, bucket: Bucket, url: string | undefined, keep: number | undefined) {
  if (url === undefined) {
    throw new UsageError("A bucket publishes a Postgres server's catalogue: give --database-url or DATABASE_URL.");
  }
  await withDatabase(url, async (connection) => {
    const { id } = await publishSnapshot(connection, location, bucket, { onDataset });
    if (keep !== undefined) onRemoved(await keepLatestPublished(connection, location, bucket, keep));
    print(`${location}/${id}`);
  });
}

async function openBucket(kind: string, name: string): Promise<Bucket> {
  if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name)) {
    throw new UsageError("A bucket's name has 3 to 63 lower-case letters, digits and hyphens.");
  }
  if (kind === "r2") return openR2Bucket(name);
  const url = variable("SUPABASE_URL");
  const serviceKey = variable("SUPABASE_SECRET_KEY") ?? variable("SUPABASE_SERVICE_ROLE_KEY");
  if (url === undefined || serviceKey === undefined) {
    throw new UsageError("Publishing to Supabase Storage needs SUPABASE_URL and SUPABASE_SECRET_KEY.");
  }
  return openSupabaseBucket({ url, serviceKey }, name);
}
