import { fitLexicon } from "../lexicon/fit.ts";
import { loadDemoData } from "../local/demo/load.ts";
import { runCommand } from "./command.ts";
import { countOf } from "./count-of.ts";
import { databaseUrlHelp, openDatabase } from "./database.ts";
import { parseArgs } from "./parse-args.ts";

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

await runCommand(async (words) => {
  const { values } = parseArgs({
    args: words,
    options: {
      grants: { type: "string", default: "3000" },
      contracts: { type: "string", default: "1200" },
      funders: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const options = {
    grants: countOf("grants", values.grants, 0, mostRecords),
    contracts: countOf("contracts", values.contracts, 0, mostRecords),
    funders: countOf("funders", values.funders, 1, mostRecords),
    seed: countOf("seed", values.seed, 0),
  };
  const connection = await openDatabase(values["database-url"]);
  try {
    let shownAt = 0;
    await loadDemoData(connection, options, (dataset, records) => {
      if (records < options[dataset] && Date.now() - shownAt < 1_000) return;
      shownAt = Date.now();
      console.error(`  loaded ${records} of ${options[dataset]} ${dataset}`);
    });
    await fitLexicon(connection, (step) => console.error(`  ${step}`));
    await connection.execute("analyze");
    console.log(`${options.grants} grants, ${options.contracts} contracts and ${options.funders} funders are in`);
  } finally {
    await connection.close();
  }
  return 0;
});
