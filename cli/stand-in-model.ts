import { readCollections } from "../bench/relevance/read-collections.ts";
import { withStandInModel } from "../bench/relevance/stand-in/model.ts";
import { serveStandIn } from "../bench/relevance/stand-in/server.ts";
import { callerPath } from "../local/caller-path.mjs";
import { print, printError } from "../local/print.ts";
import { vectorSizes } from "../shared/embeddings/models.ts";
import { collectionOptions, foldersHelp, requireCollections } from "./collections.ts";
import { abortOnSignals, printStep, runCommand } from "./command.ts";
import { parseCountBetween } from "./options.ts";

const defaultNumbers = 768;

const help = `Serves an embedding model with OpenAI's protocol, for machines on which no real one can run: latent semantic
analysis of the documents of the named collections. To measure on a collection, train on others. It answers
at http://127.0.0.1:PORT/v1, for OPENAI_BASE_URL, and shortens its vectors where a request says dimensions.

usage: npm run stand-in-model -- FOLDER ... [options]

${foldersHelp}

options:
  --judged              also the documents of the project's own queries
  --programs FILE       where the assistance programmes are, as in npm run relevance
  --data FOLDER         where the files with grants, contracts and funders are
  --size N              numbers of its vectors, ${vectorSizes.least} to ${vectorSizes.most} (default ${defaultNumbers})
  --port N              the port that it listens on (default: any)
  --help`;

await runCommand({
  help,
  allowPositionals: true,
  options: {
    judged: collectionOptions.judged,
    programs: collectionOptions.programs,
    data: collectionOptions.data,
    size: { type: "string", default: String(defaultNumbers) },
    port: { type: "string", default: "0" },
  },
  async run({ values, positionals }) {
    requireCollections(positionals, values);
    const size = parseCountBetween("--size", values.size, vectorSizes.least, vectorSizes.most);
    const port = parseCountBetween("--port", values.port, 0, 65_535);
    const texts: string[] = [];
    const judged = values.judged ? { programs: callerPath(values.programs), data: callerPath(values.data) } : undefined;
    for await (const { documents } of readCollections(positionals.map(callerPath), judged, printError)) {
      texts.push(...documents.map(({ title, text }) => `${title}\n\n${text}`));
    }
    await withStandInModel(texts, size, printStep, async (model) => {
      const server = await serveStandIn(model, port);
      const { signal } = abortOnSignals();
      print(`${texts.length} texts, ${model.words} words, ${size} numbers: OPENAI_BASE_URL=${server.url}`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await server.close();
    });
  },
});
