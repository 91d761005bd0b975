const signIn = ["DATABASE_URL", "AUTH_ISSUER", "AUTH_SIGNING_KEY"] as const;

/** Environment variables that some tests need beyond the deployment's address and three keys. */
export const optionalVariables = {
  signIn: { variables: signIn, tests: "the account API, and lists that change while many ask for them" },
  billing: { variables: [...signIn, "STRIPE_WEBHOOK_SECRET"], tests: "billing" },
  checkout: {
    variables: [...signIn, "STRIPE_SECRET_KEY", "STRIPE_API_URL", "DASHBOARD_URL"],
    tests: "checkout, and who may open it",
  },
  metrics: { variables: ["METRICS_SECRET"], tests: "metrics" },
} as const satisfies Record<string, { variables: readonly string[]; tests: string }>;

export type Need = keyof typeof optionalVariables;

/** The variables that tests still need; none of the handlers in this process, where there is no API_BASE_URL. */
export function missingFor(need: Need, environment: Readonly<Record<string, string | undefined>>): string[] {
  if (environment.API_BASE_URL === undefined) return [];
  return optionalVariables[need].variables.filter((name) => (environment[name] ?? "") === "");
}
