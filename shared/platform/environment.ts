/** Where the environment is, under Deno and under Node. */
interface Platform {
  Deno?: { env: { get(name: string): string | undefined } };
  process?: { env: Record<string, string | undefined> };
}

const platform = globalThis as Platform;

/** A variable of the environment as it stands there. */
export function environment(name: string): string | undefined {
  return platform.Deno === undefined ? platform.process?.env[name] : platform.Deno.env.get(name);
}

/** A variable of the environment, or undefined where it is not set, or empty. */
export function variable(name: string): string | undefined {
  return environment(name) || undefined;
}
