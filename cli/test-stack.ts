import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isWellFormedKey } from "../shared/auth/key.ts";
import { variable } from "../shared/platform/environment.ts";
import { optionalVariables } from "../tests/contract/optional-variables.ts";
import { runCommand, UsageError } from "./command.ts";
import { parseArgs } from "./parse-args.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

const optional = Object.values(optionalVariables)
  .map(({ variables, tests }) => `  ${tests}: ${variables.join(", ")}`)
  .join("\n");

const help = `Runs the contract suite against a deployment: any that answers, a hosted project included. It reads, uses
up the limited key's requests of the day, and changes nothing else, unless you set the variables below.

usage: npm run test:stack -- BASE_URL --key KEY --limited-key KEY --free-key KEY [-- VITEST OPTIONS]

  BASE_URL              up to and including /functions/v1

options:
  --key KEY             of an account without a quota (default: $API_KEY)
  --limited-key KEY     of an account with at most 100 requests a day (default: $LIMITED_API_KEY)
  --free-key KEY        of an account whose tier has no API access (default: $FREE_API_KEY)
  --help

npm start prints an address and three such keys. Elsewhere npm run account and npm run key make them:
  npm run tier -- add limited --quota 100
  npm run account -- create limited@example.org --tier limited && npm run key -- create limited@example.org

environment variables, none of them needed. Tests that need one which is not set are skipped, and the end of the run lists
them with the variables. With the first three set the suite makes users, keys and subscriptions: only for a stack that you
can throw away.
${optional}

  DATABASE_URL           the deployment's Postgres
  AUTH_ISSUER            who signs people in: https://PROJECT.supabase.co/auth/v1
  AUTH_SIGNING_KEY       the private key, a JWK, that sign-ins are signed with (npm start keeps its own to itself)
  STRIPE_WEBHOOK_SECRET  that the deployment was given
  METRICS_SECRET         that the deployment was given`;

await runCommand(async (words) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      key: { type: "string", default: variable("API_KEY") ?? "" },
      "limited-key": { type: "string", default: variable("LIMITED_API_KEY") ?? "" },
      "free-key": { type: "string", default: variable("FREE_API_KEY") ?? "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const [baseUrl, ...vitestOptions] = positionals;
  if (baseUrl === undefined) throw new UsageError("Name the deployment: https://PROJECT.supabase.co/functions/v1.");
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    throw new UsageError(`${baseUrl} is not an address: expected one like https://PROJECT.supabase.co/functions/v1.`);
  }
  const keys = {
    API_KEY: keyOf("--key", values.key),
    LIMITED_API_KEY: keyOf("--limited-key", values["limited-key"]),
    FREE_API_KEY: keyOf("--free-key", values["free-key"]),
  };
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/contract/vitest.config.ts"];
  const child = spawn("node", [...vitest, ...vitestOptions], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...keys, API_BASE_URL: baseUrl },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
});

function keyOf(option: string, key: string): string {
  if (key === "") throw new UsageError(`${option} is missing: the suite needs all three.`);
  if (!isWellFormedKey(key)) throw new UsageError(`${option} is not a key of this service: it is mistyped or cut off.`);
  return key;
}
