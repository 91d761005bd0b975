import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isWellFormedKey } from "../shared/auth/key.ts";
import { variable } from "../shared/platform/environment.ts";
import { optionalVariables } from "../tests/contract/optional-variables.ts";
import { runCommand } from "./command.ts";
import { UsageError } from "./options.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

const optional = Object.values(optionalVariables)
  .map(({ variables, tests }) => `  ${tests}: ${variables.join(", ")}`)
  .join("\n");

const help = `Runs the contract suite against any deployment, a hosted project included. It reads, uses up the limited
key's requests of the day, and changes nothing else, unless you set the variables below.

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

environment variables, all optional. A test is skipped when a variable that it needs is not set; the end of the run lists
such tests with the variables. With the first three set, the suite creates users, keys and subscriptions: only for a stack
that you can throw away.
${optional}

  DATABASE_URL           the deployment's Postgres
  AUTH_ISSUER            the server that signs people in: https://PROJECT.supabase.co/auth/v1
  AUTH_SIGNING_KEY       the private key, a JWK, that signs access tokens (that of npm start is not shown)
  STRIPE_WEBHOOK_SECRET  as set on the deployment
  STRIPE_SECRET_KEY      as set on the deployment, and its
  STRIPE_API_URL         an address of this machine, where the suite then listens in Stripe's place, and its
  DASHBOARD_URL
  METRICS_SECRET         as set on the deployment`;

await runCommand({
  help,
  allowPositionals: true,
  options: {
    key: { type: "string", default: variable("API_KEY") ?? "" },
    "limited-key": { type: "string", default: variable("LIMITED_API_KEY") ?? "" },
    "free-key": { type: "string", default: variable("FREE_API_KEY") ?? "" },
  },
  async run({ values, positionals: [baseUrl, ...vitestOptions] }) {
    if (baseUrl === undefined) throw new UsageError("Name the deployment: https://PROJECT.supabase.co/functions/v1.");
    if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
      throw new UsageError(`${baseUrl} is not an address: expected one like https://PROJECT.supabase.co/functions/v1.`);
    }
    const keys = {
      API_KEY: requireKey("--key", values.key),
      LIMITED_API_KEY: requireKey("--limited-key", values["limited-key"]),
      FREE_API_KEY: requireKey("--free-key", values["free-key"]),
    };
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "contract"];
    const child = spawn("node", [...vitest, ...vitestOptions], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...keys, API_BASE_URL: baseUrl },
    });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) => resolve(status ?? 1));
    });
  },
});

function requireKey(option: string, key: string): string {
  if (key === "") throw new UsageError(`${option} is missing: the suite needs all three.`);
  if (!isWellFormedKey(key)) throw new UsageError(`${option} is not a key of this service: it is mistyped or cut off.`);
  return key;
}
