import { resolve } from "node:path";
import { closeAfter } from "../database/connection.ts";
import { callerPath } from "../local/caller-path.mjs";
import { print, printError } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp } from "./database.ts";
import { UsageError } from "./options.ts";
import { formatCount } from "./progress.ts";
import { openFrozenDatabase } from "./snapshot/frozen-database.ts";
import { keepLatest, writeSnapshot } from "./snapshot/write-snapshot.ts";

const help = `Writes the catalogue to files, as of one moment: all current grants, contracts and funders with their details, as JSON
Lines and CSV, and what changed since the last snapshot in the folder. Each snapshot is a folder named after its time, with a
manifest: counts, how fresh the data is, and the SHA-256 of each file.

usage: npm run snapshot -- FOLDER [--keep NUMBER] [--database-url URL]

options:
  --keep NUMBER         removes all but so many of the latest snapshots (default: keeps all)
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  options: { "database-url": { type: "string" }, keep: { type: "string" } },
  allowPositionals: true,
  async run({ positionals: [folder, ...more], values: { "database-url": url = variable("DATABASE_URL"), keep } }) {
    if (folder === undefined || more.length > 0) {
      throw new UsageError("Say which folder to write to: npm run snapshot -- FOLDER.");
    }
    if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep)) throw new UsageError("--keep must be a number from 1.");
    const path = resolve(callerPath(folder));
    const { connection, copiedAt } = await openFrozenDatabase(url);
    const manifest = await closeAfter(connection, () =>
      writeSnapshot(connection, path, {
        onDataset: (dataset, records) => printError(`  ${dataset}: ${formatCount(records)} records`),
        ...(copiedAt && { copiedAt }),
      }),
    );
    if (keep !== undefined) {
      for (const id of await keepLatest(path, Number(keep))) printError(`  removed ${id}`);
    }
    print(`${folder.replace(/\/+$/, "")}/${manifest.id}`);
    return 0;
  },
});
