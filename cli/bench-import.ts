import { writeFile } from "node:fs/promises";
import { measureImport } from "../bench/import/index.ts";
import { runCommand, UsageError } from "./command.ts";
import { countOf } from "./count-of.ts";
import { outputPath } from "./output-path.ts";
import { parseArgs } from "./parse-args.ts";
import { textTable } from "./table.ts";

const help = `Measures an import of Grants.gov's daily extract: a generated one of the live one's size, in an archive whose
sizes are in the trailing descriptor, beside COPY of the same rows in the same run.

usage: npm run bench:import -- [--database-url URL] [options]

options:
  --database-url URL    a Postgres on this machine, as its superuser; without it the native stack is left out
  --opportunities N     in the extract (default 8000; the live one has 82230)
  --only STACK          native or embedded
  --json FILE           also write the rows there
  --help`;

await runCommand(async (words) => {
  const { values } = parseArgs({
    args: words,
    options: {
      "database-url": { type: "string" },
      opportunities: { type: "string", default: "8000" },
      only: { type: "string" },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const { "database-url": serverUrl, only } = values;
  if (only !== undefined && only !== "native" && only !== "embedded") {
    throw new UsageError(`--only takes native or embedded, not ${only}.`);
  }
  if (only === "native" && serverUrl === undefined) throw new UsageError("--only native needs --database-url.");
  const json = values.json === undefined ? undefined : outputPath("--json", values.json);
  const { extract, rows } = await measureImport(countOf("opportunities", values.opportunities, 1), { serverUrl, only });
  console.log(
    `${extract.opportunities.toLocaleString("en-US")} opportunities, ${megabytes(extract.bytes)} MB of XML, ${megabytes(extract.packedBytes)} MB packed\n`,
  );
  console.log(textTable(rows));
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ extract, rows }, undefined, 2)}\n`);
  return 0;
});

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
