// @ts-check
// Serves a bundle of the Worker on Cloudflare's runtime: serve.mjs CONFIG BUNDLE ENV_FILE STATE PORT. `wrangler dev` does the same behind
// a proxy, which reloads the Worker, answers 503 to a POST whose connection was closed, and makes the contract suite take 1.75 times as long.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { parseEnv } from "node:util";
import { unstable_getMiniflareWorkerOptions as optionsOf } from "wrangler";

// Wrangler's own, so that the runtime is the one that wrangler has.
/** @type {typeof import("miniflare")} */
const { Miniflare } = createRequire(import.meta.resolve("wrangler"))("miniflare");

const [config = "", bundle = "", envFile = "", state = "", port = ""] = process.argv.slice(2);
const { workerOptions } = optionsOf(config);
const miniflare = new Miniflare({
  host: "127.0.0.1",
  port: Number(port),
  // Where `wrangler r2 object put --local --persist-to STATE` writes.
  defaultPersistRoot: `${state}/v3`,
  workers: [
    {
      ...workerOptions,
      modulesRoot: dirname(bundle),
      modules: [{ type: "ESModule", path: bundle }],
      bindings: parseEnv(readFileSync(envFile, "utf8")),
    },
  ],
});
await miniflare.ready;

const end = () => void miniflare.dispose().then(() => process.exit());
process.on("SIGTERM", end);
process.on("SIGINT", end);
