import { fitLexicon } from "../database/lexicon/fit.ts";
import { loadDemoData } from "../local/demo/load.ts";
import { print } from "../local/print.ts";
import { printStep, runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { parseCount } from "./options.ts";

/** More than any disk holds. */
const mostRecords = 999_999_999;

const help = `Fills a database with generated demo records and fits the lexicon on them. The same numbers
and seed give the same records, with dates relative to today.

usage: npm run seed -- [--grants N] [--contracts N] [--funders N] [--seed N]

options:
  --grants N            how many grants (default 3000)
  --contracts N         how many contracts (default 1200)
  --funders N           how many funders (default 300, at least 1)
  --seed N              which records (default 1)
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  options: {
    grants: { type: "string", default: "3000" },
    contracts: { type: "string", default: "1200" },
    funders: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    "database-url": { type: "string" },
  },
  async run({ values }) {
    const counts = {
      grants: parseCount("--grants", values.grants, 0, mostRecords),
      contracts: parseCount("--contracts", values.contracts, 0, mostRecords),
      funders: parseCount("--funders", values.funders, 1, mostRecords),
      seed: parseCount("--seed", values.seed, 0),
    };
    await withDatabase(values["database-url"], async (connection) => {
      let shownAt = 0;
      await loadDemoData(connection, counts, (dataset, records) => {
        if (records < counts[dataset] && Date.now() - shownAt < 1_000) return;
        shownAt = Date.now();
        printStep(`loaded ${records} of ${counts[dataset]} ${dataset}`);
      });
      await fitLexicon(connection, printStep);
      await connection.execute("analyze");
      print(`${counts.grants} grants, ${counts.contracts} contracts and ${counts.funders} funders are in`);
    });
  },
});
