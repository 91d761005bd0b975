import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError, type Io } from "./io.ts";

/** Whom to ask, and as whom. */
export interface Credentials {
  baseUrl: string;
  apiKey: string;
}

/** The file that `funding login` writes, readable by its owner alone. */
export function credentialsPath(env: Io["env"]): string {
  const configuration = env.XDG_CONFIG_HOME ?? env.APPDATA ?? join(env.HOME ?? homedir(), ".config");
  return join(configuration, "funding", "credentials.json");
}

/** Reads the credentials: FUNDING_BASE_URL and FUNDING_API_KEY, and of what they leave out, those that were saved. */
export async function readCredentials({ env }: Io): Promise<Credentials> {
  const saved = await readSaved(credentialsPath(env));
  const baseUrl = env.FUNDING_BASE_URL || saved.baseUrl;
  const apiKey = env.FUNDING_API_KEY || saved.apiKey;
  if (baseUrl === undefined || apiKey === undefined) {
    const missing = [baseUrl === undefined ? "FUNDING_BASE_URL" : "", apiKey === undefined ? "FUNDING_API_KEY" : ""];
    const names = missing.filter((name) => name !== "").join(" and ");
    throw new CommandError(`No API key: run funding login, or set ${names}.`, 1);
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ""), apiKey };
}

async function readSaved(path: string): Promise<Partial<Credentials>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new CommandError(`${path} cannot be read: ${error.message}`, 1);
  });
  try {
    return JSON.parse(text) as Partial<Credentials>;
  } catch {
    throw new CommandError(`${path} is not JSON: remove it, and run funding login.`, 1);
  }
}

/** Saves the credentials. @returns the path of the file. */
export async function saveCredentials(io: Io, credentials: Credentials): Promise<string> {
  const path = credentialsPath(io.env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  // Where the file was there before, writing it leaves its permissions.
  await chmod(path, 0o600);
  return path;
}

/** Removes what was saved. @returns the path of the file. */
export async function removeCredentials({ env }: Io): Promise<string> {
  const path = credentialsPath(env);
  await rm(path, { force: true });
  return path;
}
