import { defaultDimensions, fitLexicon } from "../lexicon/fit.ts";
import { runCommand, UsageError } from "./command.ts";
import { databaseUrlHelp, openDatabase } from "./database.ts";
import { parseArgs } from "./parse-args.ts";

const help = `Fits the lexicon on the records now in the database: word weights for keyword ranking, word
vectors for semantic search. Run it after a large import. Searches go on with the old lexicon until the
new one is complete. Records can be written meanwhile; writers wait only while the new one is put in
force, about 0.1 ms a record.

usage: npm run lexicon -- [--dimensions N]

options:
  --dimensions N        dimensions of the fitted space, 16 to 384 (default ${defaultDimensions})
  ${databaseUrlHelp}
  --help`;

await runCommand(async (words) => {
  const { values } = parseArgs({
    args: words,
    options: {
      dimensions: { type: "string", default: String(defaultDimensions) },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const dimensions = Number(values.dimensions);
  if (!/^\d+$/.test(values.dimensions) || dimensions < 16 || dimensions > 384) {
    throw new UsageError("--dimensions must be a whole number from 16 to 384.");
  }
  const connection = await openDatabase(values["database-url"]);
  try {
    const fit = await fitLexicon(connection, (step) => console.error(`  ${step}`), dimensions);
    console.log(
      `${fit.documents} records, ${fit.terms} terms, ${fit.fittedTerms} of them with a vector of ${fit.dimensions} dimensions`,
    );
  } finally {
    await connection.close();
  }
  return 0;
});
