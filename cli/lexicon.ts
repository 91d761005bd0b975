import { defaultDimensions, fitLexicon } from "../database/lexicon/fit.ts";
import { print } from "../local/print.ts";
import { printStep, runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { parseCountBetween } from "./options.ts";

const help = `Fits the lexicon on the records now in the database: word weights for keyword ranking, word
vectors for semantic search. Run it after a large import. Searches use the old lexicon until the
new one is complete. Records can be written meanwhile, and nobody waits for it.

usage: npm run lexicon -- [--dimensions N]

options:
  --dimensions N        dimensions of the fitted space, 16 to 384 (default ${defaultDimensions})
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  options: {
    dimensions: { type: "string", default: String(defaultDimensions) },
    "database-url": { type: "string" },
  },
  async run({ values }) {
    const dimensions = parseCountBetween("--dimensions", values.dimensions, 16, 384);
    const fit = await withDatabase(values["database-url"], (connection) =>
      fitLexicon(connection, printStep, dimensions),
    );
    print(
      `${fit.documents} records, ${fit.terms} terms, ${fit.fittedTerms} of them with a vector of ${fit.dimensions} dimensions`,
    );
  },
});
