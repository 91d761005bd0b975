import { generateKey } from "../../shared/auth/key.ts";

/** A request, and its whole answer: status, headers and body. */
export interface Exchanged {
  request: string;
  status: number;
  answer: string;
}

/** Credentials and addresses that the traffic uses. */
export interface Credentials {
  /** After `/functions/v1`. */
  baseUrl: string;
  apiKeys: readonly string[];
  accessToken: string;
  metricsSecret: string;
  dispatchSecret: string;
  /** Any other secret of the deployment. */
  others: Readonly<Record<string, string>>;
}

/** The secrets that came to be on the way, and every exchange but those whose answer shows a new one. */
export interface Traffic {
  made: Record<string, string>;
  exchanges: Exchanged[];
}

const json = { "content-type": "application/json" };
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** Uses every secret as it is meant to be used, then puts each of them where it does not belong. */
export async function sendTraffic(credentials: Credentials): Promise<Traffic> {
  const { baseUrl, apiKeys, accessToken, metricsSecret, dispatchSecret, others } = credentials;
  const exchanges: Exchanged[] = [];
  const made: Record<string, string> = {};

  async function send(path: string, init: RequestInit = {}) {
    const response = await fetch(`${baseUrl}${path}`, init);
    return { response, text: await response.text() };
  }
  async function ask(path: string, init: RequestInit = {}): Promise<number> {
    const { response, text } = await send(path, init);
    const answer = `${JSON.stringify([...response.headers])}\n${text}`;
    exchanges.push({ request: `${init.method ?? "GET"} ${path}`, status: response.status, answer });
    return response.status;
  }
  /** Asks for what shows a new secret, once, to who is signed in. */
  async function make<Body>(path: string, body: object): Promise<Body> {
    const headers = { ...json, ...bearer(accessToken) };
    const { response, text } = await send(`/account-api${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  // As meant.
  await ask("/account-api", { headers: bearer(accessToken) });
  const created = await make<{ id: string; key: string }>("/keys", { name: "first" });
  const rotated = await make<{ id: string; key: string }>(`/keys/${created.id}/rotate`, { overlap_hours: 1 });
  const hook = { url: "https://receiver.example.com/hook", events: ["grant.created"] };
  const webhook = await make<{ id: string; secret: string }>("/webhooks", hook);
  const newer = await make<{ secret: string }>(`/webhooks/${webhook.id}/rotate`, {});
  Object.assign(made, {
    "a created key": created.key,
    "a rotated key": rotated.key,
    "a webhook's secret": webhook.secret,
    "its next secret": newer.secret,
    "an unknown key": generateKey(),
  });
  for (const path of [
    "/account-api/keys",
    "/account-api/webhooks",
    "/account-api/usage",
    "/account-api/audit-log?limit=100",
  ]) {
    await ask(path, { headers: bearer(accessToken) });
  }
  const keys = [...apiKeys, ...Object.entries(made).flatMap(([name, value]) => (name.includes("key") ? [value] : []))];
  for (const key of keys) {
    await ask("/grants-api?limit=1", { headers: bearer(key) });
    await ask("/grants-api?search=clean+water&search_mode=hybrid&limit=1", { headers: bearer(key) });
    await ask(`/funders-api/${crypto.randomUUID()}`, { headers: bearer(key) });
    await ask("/semantic-search", {
      method: "POST",
      headers: { ...json, ...bearer(key) },
      body: '{"query":"kids who go hungry"}',
    });
  }
  await ask(`/account-api/keys/${created.id}/revoke`, { method: "POST", headers: bearer(accessToken) });
  await ask("/grants-api?limit=1", { headers: bearer(created.key) });
  await ask("/metrics", { headers: bearer(metricsSecret) });
  await ask("/dispatch", { method: "POST", headers: bearer(dispatchSecret) });
  await ask("/billing", { method: "POST", headers: { "stripe-signature": "t=1,v1=00" }, body: "{}" });
  const portal = await ask("/account-api/billing/portal", { method: "POST", headers: bearer(accessToken) });
  if (portal !== 503) throw new Error(`Stripe was to refuse the key, and the answer is ${portal}`);
  await ask("/health/ready");

  // Secrets in the wrong places.
  const [key = ""] = apiKeys;
  const secrets = [
    ...keys,
    accessToken,
    metricsSecret,
    dispatchSecret,
    ...Object.values(made),
    ...Object.values(others),
  ];
  for (const secret of new Set(secrets)) {
    const encoded = encodeURIComponent(secret);
    for (const headers of [{}, bearer(key), bearer(secret)]) {
      await ask(`/grants-api?api_key=${encoded}`, { headers });
      await ask(`/grants-api?sort_by=${encoded}`, { headers });
      await ask("/account-api", { headers });
      await ask("/metrics", { headers });
      await ask("/contracts-api?limit=1", {
        headers: {
          ...headers,
          cookie: `key=${encoded}`,
          referer: `https://page.example/?key=${encoded}`,
          "user-agent": encoded,
        },
      });
    }
    await ask("/grants-api?limit=1", { headers: { authorization: `Basic ${btoa(secret)}` } });
    await ask("/semantic-search", {
      method: "POST",
      headers: { ...json, ...bearer(key) },
      body: JSON.stringify({ query: "water", api_key: secret }),
    });
    await ask("/account-api/keys", {
      method: "POST",
      headers: { ...json, ...bearer(accessToken) },
      body: JSON.stringify({ name: "x", key: secret }),
    });
    await ask("/billing", {
      method: "POST",
      headers: { "stripe-signature": encoded },
      body: JSON.stringify({ secret }),
    });
    if (!hasALook(secret)) continue;
    // A text without the form of a key is echoed to its sender, in the path or the name of a problem.
    await ask(`/grants-api/${encoded}`, { headers: bearer(key) });
    await ask(`/${encoded}`, { headers: bearer(key) });
    await ask(`/grants-api?${encoded}=1`, { headers: bearer(key) });
    await ask("/grants-api?limit=1", { headers: { ...bearer(key), "x-request-id": secret.slice(0, 128) } });
  }
  return { made, exchanges };
}

/** Whether it can be told that a text is a secret of this kind. */
function hasALook(secret: string): boolean {
  return /^(fo_live_|whsec_|sk-|sk_test_|eyJ)/.test(secret);
}
