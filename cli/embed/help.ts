import { defaultModels } from "../../shared/embeddings/models.ts";
import { databaseUrlHelp } from "../database.ts";
import { defaultBatchSize, defaultConcurrency } from "./fill.ts";

/** What --help prints. */
export const help = `Gives every record a vector of an embedding model, and makes it the model that search by meaning uses.
Run it again after an import: it embeds what is new or has changed. It says what it will cost and asks first.

  npm run embed -- --provider lexicon|openai|supabase [options]

lexicon    vectors made in the database from the records' own words; no key, no cost (the default)
openai     OpenAI, or any server that speaks its embeddings protocol: OPENAI_API_KEY, OPENAI_BASE_URL
supabase   gte-small, inside Supabase's edge runtime only: this command says what to do

Search goes on with the old model until every record has a vector of the new one. A run that was stopped
or killed goes on where it was when the same command is run again.

  --provider NAME       who makes the vectors
  --model NAME          the provider's model (default for openai: ${defaultModels.openai})
  --price USD           what a million tokens costs, where the model's price is not known here
  --batch N             texts in a request, 1 to 2048 (default ${defaultBatchSize})
  --concurrency N       requests at a time, 1 to 32 (default ${defaultConcurrency})
  --yes                 does not ask
  ${databaseUrlHelp}
  --help`;
