import { measureImport } from "../bench/import/index.ts";
import { print } from "../local/print.ts";
import { runCommand } from "./command.ts";
import { jsonWriter } from "./json-output.ts";
import { parseCount, UsageError } from "./options.ts";
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

await runCommand({
  help,
  options: {
    "database-url": { type: "string" },
    opportunities: { type: "string", default: "8000" },
    only: { type: "string" },
    json: { type: "string" },
  },
  async run({ values: { "database-url": serverUrl, only, opportunities, json } }) {
    if (only !== undefined && only !== "native" && only !== "embedded") {
      throw new UsageError(`--only takes native or embedded, not ${only}.`);
    }
    if (only === "native" && serverUrl === undefined) throw new UsageError("--only native needs --database-url.");
    const writeJson = jsonWriter(json);
    const { extract, rows } = await measureImport(parseCount("--opportunities", opportunities, 1), { serverUrl, only });
    print([
      `${extract.opportunities.toLocaleString("en-US")} opportunities, ${megabytes(extract.bytes)} MB of XML, ${megabytes(extract.packedBytes)} MB packed`,
      "",
    ]);
    print(textTable(rows));
    await writeJson({ extract, rows });
  },
});

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
