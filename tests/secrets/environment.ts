import { randomBytes } from "node:crypto";
import { generateSecret, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";

const random = () => randomBytes(24).toString("hex");

/** Secrets of the deployment, made for one run. What they are variables of is a function's environment. */
export function newEnvironment(providerUrl: string, stripeUrl: string) {
  return {
    STRIPE_WEBHOOK_SECRET: generateSecret(),
    STRIPE_SECRET_KEY: `sk_test_${random()}`,
    STRIPE_API_URL: stripeUrl,
    DASHBOARD_URL: "https://dashboard.example.org",
    METRICS_SECRET: random(),
    DISPATCH_SECRET: random(),
    WEBHOOK_SECRETS_KEY: generateSecretsKey(),
    OPENAI_API_KEY: `sk-${random()}`,
    OPENAI_BASE_URL: providerUrl,
    LOG_LEVEL: "debug",
    LOG_FORMAT: "json",
  };
}

/** The secret ones among them. */
export function secretsOf(environment: ReturnType<typeof newEnvironment>) {
  const { OPENAI_BASE_URL, STRIPE_API_URL, DASHBOARD_URL, LOG_LEVEL, LOG_FORMAT, ...secrets } = environment;
  return secrets;
}
