import { afterAll, beforeAll } from "vitest";
import { connectPostgres } from "../../database/postgres.ts";
import { signingKeyOf } from "../../local/auth/signing-key.ts";
import { expectToMatchProtocol } from "../support/common-grants/published.ts";
import { createPeople, type People } from "../support/people.ts";
import {
  bearer,
  openTestService,
  type TestService,
  testBillingSecret,
  testMetricsSecret,
  testOrigin,
} from "../support/service.ts";
import { type StripeServer, startStripeServer } from "../support/stripe-server.ts";
import { expectToMatchOpenApi } from "./openapi-document.ts";

/** The key of a request: of an account on that tier, none, or one given as text. */
export type Caller = "developer" | "limited" | "free" | "nobody" | { key: string };

/** A deployment under test. */
export interface Target {
  /**
   * Sends a request for a path after `/functions/v1`, for example `/grants-api?limit=1`, and holds the
   * response to the OpenAPI document, and to that of CommonGrants where it is of its routes.
   *
   * @param caller defaults to the developer tier's key.
   */
  send(path: string, init?: RequestInit, caller?: Caller): Promise<Response>;
  /** People who can sign in; undefined at a deployment whose database and signing key are not given: see `needs`. */
  people(): People | undefined;
  /** With which the payment provider signs what it tells the deployment. */
  billingSecret(): string;
  /** Server that the deployment asks as Stripe, started here where that is at STRIPE_API_URL. */
  stripe(): Promise<StripeServer>;
  /** Address of the dashboard, which Stripe leads back to. */
  dashboardUrl(): string;
  /** Secret required to scrape `/metrics`. */
  metricsSecret(): string;
  /** The key of a caller, for tests that build the header themselves. */
  keyOf(caller: "developer" | "limited" | "free"): string;
}

type Keys = Record<"developer" | "limited" | "free", string>;

/** The handlers in this process with their database, opened once: test files share them, as they share a deployment. */
let inProcess: Promise<Pick<TestService, "fetch" | "people" | "stripe"> & { keys: Keys }> | undefined;

async function openInProcess() {
  const service = await openTestService();
  const keys: Keys = {
    developer: (await service.newKey("developer")).key,
    limited: (await service.newKey("limited", 100)).key,
    free: (await service.newKey("free")).key,
  };
  return { fetch: service.fetch, people: service.people, stripe: service.stripe, keys };
}

/**
 * The deployment that the contract tests talk to: the handlers in this process, or, when
 * API_BASE_URL is set, whatever answers there, with the keys in API_KEY, LIMITED_API_KEY (at most
 * 100 requests a day) and FREE_API_KEY. (Not BASE_URL: Vitest overwrites that with Vite's `base`.)
 *
 * Call it at the top of a test file; the target is there from the first test on.
 */
export function contractTarget(): Target {
  let fetchPath: (path: string, init: RequestInit) => Promise<Response>;
  let keys: Keys;
  let people: People | undefined;
  let stripe: StripeServer | undefined;
  let close = async () => {};

  beforeAll(async () => {
    const baseUrl = process.env.API_BASE_URL?.replace(/\/+$/, "");
    if (baseUrl !== undefined) {
      fetchPath = (path, init) => fetchAgainIfClosed(`${baseUrl}${path}`, init);
      keys = {
        developer: fromEnvironment("API_KEY"),
        limited: fromEnvironment("LIMITED_API_KEY"),
        free: fromEnvironment("FREE_API_KEY"),
      };
      people = await peopleOfEnvironment();
      close = async () => {
        await people?.connection.close();
        await stripe?.close();
      };
      return;
    }
    inProcess ??= openInProcess();
    const service = await inProcess;
    fetchPath = service.fetch;
    people = service.people;
    stripe = service.stripe;
    keys = service.keys;
  });
  afterAll(() => close());

  return {
    async send(path, init = {}, caller = "developer") {
      const headers = new Headers(init.headers);
      if (caller !== "nobody") {
        const key = typeof caller === "string" ? keys[caller] : caller.key;
        headers.set("authorization", bearer(key).authorization);
      }
      const response = await fetchPath(path, { ...init, headers });
      // Billing is for the payment provider and metrics are for operators: neither is part of the API.
      if (/^\/(billing|metrics)\b/.test(path)) return response;
      const method = init.method ?? "GET";
      await expectToMatchOpenApi(method, path, response, process.env.API_BASE_URL === undefined);
      if (path.startsWith("/common-grants")) await expectToMatchProtocol(method, path, response);
      return response;
    },
    people: () => people,
    billingSecret: () => process.env.STRIPE_WEBHOOK_SECRET ?? testBillingSecret,
    async stripe() {
      const { STRIPE_API_URL = "", STRIPE_SECRET_KEY = "" } = process.env;
      stripe ??= await startStripeServer(Number(new URL(STRIPE_API_URL).port), STRIPE_SECRET_KEY);
      return stripe;
    },
    dashboardUrl: () => process.env.DASHBOARD_URL ?? testOrigin,
    metricsSecret: () => process.env.METRICS_SECRET ?? testMetricsSecret,
    keyOf: (caller) => keys[caller],
  };
}

/**
 * Sends a request; once more if the server closed the connection just as it was used again, before any answer. HTTP allows a server to close
 * one that is idle. Cloudflare's runtime does so after five seconds, and after an answer to a request whose body was not read.
 */
async function fetchAgainIfClosed(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code !== "UND_ERR_SOCKET" && code !== "ECONNRESET") throw error;
    return fetch(url, init);
  }
}

/** People of the stack in DATABASE_URL, whose sign-ins AUTH_ISSUER signs with AUTH_SIGNING_KEY, a private JWK. */
async function peopleOfEnvironment(): Promise<People | undefined> {
  const { DATABASE_URL = "", AUTH_ISSUER = "", AUTH_SIGNING_KEY = "" } = process.env;
  if (DATABASE_URL === "" || AUTH_ISSUER === "" || AUTH_SIGNING_KEY === "") return undefined;
  return createPeople(
    await connectPostgres(DATABASE_URL),
    await signingKeyOf(JSON.parse(AUTH_SIGNING_KEY)),
    AUTH_ISSUER,
  );
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`with API_BASE_URL, ${name} must be set too`);
  return value;
}
