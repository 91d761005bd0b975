import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sleep } from "../time.ts";
import type { Answer, Client } from "./client.ts";

/** Attempts at one request, a second or more apart. */
const mostTries = 120;

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** The session of the account's owner. It has to outlive all that happens: whoever has signed in once is not signed out. */
export class Session {
  #tokens: Tokens | undefined;

  constructor(
    private readonly client: Client,
    private readonly dataFolder: string,
  ) {}

  /**
   * Sends a request of the account API until it has an answer other than 503.
   *
   * @returns undefined when it is given up: that is a violation.
   */
  async request(kind: string, method: string, path: string, body?: object): Promise<Answer | undefined> {
    const idempotencyKey = crypto.randomUUID();
    for (let attempt = 0; attempt < mostTries; attempt++) {
      await this.client.server.ready();
      const tokens = this.#tokens ?? (await this.#signIn());
      if (tokens === undefined) {
        await sleep(1_000);
        continue;
      }
      const init: RequestInit = {
        method,
        headers: {
          authorization: `Bearer ${tokens.access_token}`,
          ...(method === "POST" ? { "idempotency-key": idempotencyKey } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const answer = await this.client.ask({ kind, path: `/functions/v1/account-api${path}`, init });
      if (answer?.status === 401) await this.#refresh(tokens);
      else if (answer !== undefined) return answer;
      await sleep(1_000);
      if (this.client.server.givenUp.aborted) return undefined;
    }
    this.client.report.violation(`${kind}: nothing but refusals in ${mostTries} attempts`, `${method} ${path}`);
    return undefined;
  }

  /** A second use of a refresh token is allowed for a moment, so an answer that was lost is asked for once more. */
  async #refresh(tokens: Tokens): Promise<void> {
    let isInDoubt = false;
    for (let attempt = 0; attempt < mostTries; attempt++) {
      await this.client.server.ready();
      const answer = await this.#post("/auth/v1/token?grant_type=refresh_token", {
        refresh_token: tokens.refresh_token,
      });
      if (answer?.status === 200) {
        this.#tokens = JSON.parse(answer.body);
        this.client.report.count("session", "refreshed");
        return;
      }
      if (answer !== undefined) {
        if (isInDoubt) this.client.report.count("session", "lost after a refresh without an answer");
        else this.client.report.violation(`the session was lost: ${answer.status} ${answer.body.slice(0, 200)}`);
        this.#tokens = undefined;
        return;
      }
      isInDoubt = true;
      await sleep(1_000);
    }
  }

  async #signIn(): Promise<Tokens | undefined> {
    const link = await this.#link();
    if (link === undefined) return undefined;
    const token_hash = new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash");
    const answer = await this.#post("/auth/v1/verify", { token_hash, type: "email" });
    if (answer?.status !== 200) {
      if (answer !== undefined) this.client.report.count("session", `sign-in refused (${answer.status})`);
      return undefined;
    }
    this.client.report.count("session", "signed in");
    this.#tokens = JSON.parse(answer.body);
    return this.#tokens;
  }

  /** A link as the operator prints it. Undefined where the command failed, as it does while the server is down or stores nothing. */
  async #link(): Promise<string | undefined> {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const options = { cwd: root, timeout: 60_000, env: { ...process.env, DATA_DIR: this.dataFolder } };
    try {
      const words = ["local/deno.mjs", "cli/account.ts", "link"];
      const { stdout } = await promisify(execFile)("node", words, options);
      return /\S+#\S+/.exec(stdout)?.[0];
    } catch {
      this.client.report.count("session", "no link");
      return undefined;
    }
  }

  #post(path: string, body: object): Promise<Answer | undefined> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return this.client.ask({ kind: "session", path, init });
  }
}
