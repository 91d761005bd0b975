import {
  defaultModels,
  type ExternalProviderName,
  lexiconModel,
  modelKey,
  vectorSizes,
} from "../../shared/embeddings/models.ts";
import { defaultSize } from "../../shared/embeddings/vector.ts";
import { databaseUrlHelp } from "../database.ts";
import { type Arguments, parseChoice, parseCountBetween, UsageError } from "../options.ts";
import { defaultBatchSize, defaultConcurrency } from "./fill.ts";

/** Text of --help. */
export const help = `Gives every record a vector of an embedding model, and makes it the model that search by meaning uses.
Afterwards the dispatcher embeds what is new or has changed. It shows the expected cost and asks first.

  npm run embed -- --provider lexicon|openai|supabase|workers-ai [options]

lexicon    vectors made in the database from the records' own words; no key, no cost (the default)
openai     OpenAI, or any server that speaks its embeddings protocol: OPENAI_API_KEY, OPENAI_BASE_URL
supabase   gte-small, by the dispatcher on Supabase; workers-ai: bge-small-en-v1.5, by that of a Worker with the
           binding AI. The same command again says how far the dispatcher is, and completes the change

Search uses the old model until every record has a vector of the new one. If a run is stopped or killed, run the same
command again: it continues with the texts that still lack a vector. The old model's vectors are kept for a while
(the setting former_vector_days), so that going back costs what has changed. --provider lexicon, a second time, deletes them.

  --provider NAME       the provider of the vectors
  --model NAME          the provider's model (default for openai: ${defaultModels.openai})
  --dimensions N        size of the model's vectors, ${vectorSizes.least} to ${vectorSizes.most} (default ${defaultSize}; openai alone has others)
  --price USD           price of a million tokens, for models whose price is not known here
  --batch N             texts in a request, 1 to 2048 (default ${defaultBatchSize})
  --concurrency N       requests at a time, 1 to 32 (default ${defaultConcurrency})
  --yes                 does not ask
  ${databaseUrlHelp}
  --help`;

export const embedOptions = {
  provider: { type: "string" },
  model: { type: "string" },
  dimensions: { type: "string", default: String(defaultSize) },
  price: { type: "string" },
  batch: { type: "string", default: String(defaultBatchSize) },
  concurrency: { type: "string", default: String(defaultConcurrency) },
  yes: { type: "boolean", default: false },
  "database-url": { type: "string" },
} as const;

/** A call of the command, checked. */
export interface EmbedCommand {
  provider: "lexicon" | ExternalProviderName;
  /** The database's name for the model. */
  model: string;
  /** US dollars for a million tokens; undefined: the published price, if it is known here. */
  price: number | undefined;
  batchSize: number;
  concurrency: number;
  isConfirmed: boolean;
  databaseUrl: string | undefined;
}

/** @throws {UsageError} when the values make no sense. */
export function parseEmbedCommand({ values }: Arguments<typeof embedOptions>): EmbedCommand {
  const provider = parseChoice("--provider", values.provider, ["lexicon", "openai", "supabase", "workers-ai"] as const);
  return {
    provider,
    model: parseModel(provider, values.model, parseDimensions(provider, values.dimensions)),
    price: values.price === undefined ? undefined : parsePrice(values.price),
    batchSize: parseCountBetween("--batch", values.batch, 1, 2048),
    concurrency: parseCountBetween("--concurrency", values.concurrency, 1, 32),
    isConfirmed: values.yes,
    databaseUrl: values["database-url"],
  };
}

function parseDimensions(provider: EmbedCommand["provider"], given: string): number {
  const size = parseCountBetween("--dimensions", given, vectorSizes.least, vectorSizes.most);
  if (provider !== "openai" && size !== defaultSize) {
    throw new UsageError(`--dimensions ${size}: the vectors of ${provider} have ${defaultSize}.`);
  }
  return size;
}

function parseModel(provider: EmbedCommand["provider"], given: string | undefined, size: number): string {
  if (given !== undefined && /@\d+$/.test(given)) throw new UsageError("--model has no size: --dimensions says it.");
  if (provider !== "lexicon") return modelKey(provider, given || defaultModels[provider], size);
  if (given !== undefined) throw new UsageError("--model has no meaning for the lexicon, which is fitted here.");
  return lexiconModel;
}

function parsePrice(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError("--price must be US dollars for a million tokens: 0.02.");
  return Number(text);
}
