import { createFundingClient, isProblem } from "funding-opportunities-client";
import { verifySignatureHeader, verifyWebhook } from "funding-opportunities-client/webhooks";

/**
 * Uses every part of the client, with nothing but what all runtimes have.
 *
 * @returns what came of it, as JSON can hold it.
 */
export async function scenario({ baseUrl, apiKey, freeApiKey, delivery }) {
  const client = createFundingClient({ baseUrl, apiKey });
  const query = { states: ["OH", "PA"], include_national: true, opportunity_type: "all" };

  const ids = [];
  for await (const grant of client.grants.iterate(query)) ids.push(grant.id);
  const page = await client.grants.list({ ...query, limit: 1 });
  const [first] = page.results;
  const found = await client.semanticSearch({ query: "cleaning up polluted lakes", type: "grants", limit: 2 });

  const { results } = await client.multiSearch([
    { endpoint: "funders-api", parameters: { limit: 2 } },
    { endpoint: "grants-api", parameters: { limit: 0 } },
  ]);

  return {
    several: results.map(({ status, body }) => (status === 200 ? body.results.length : body.errors[0].parameter)),
    counted: await client.grants.count(query),
    total: page.pagination.total,
    iterated: ids.length,
    distinct: new Set(ids).size,
    single: (await client.grants.get(first.id)).title === first.title,
    missing: (await client.contracts.get("00000000-0000-4000-8000-000000000000")) === undefined,
    funders: (await client.funders.list({ limit: 3 })).results.length,
    found: found.results.map(({ type }) => type),
    forbidden: await kindOf(createFundingClient({ baseUrl, apiKey: freeApiKey }).grants.list()),
    invalid: await kindOf(client.grants.list({ limit: 0 })),
    aborted: await nameOf(client.grants.list({}, { signal: AbortSignal.abort() })),
    webhook: (await verifyWebhook(delivery, { now: new Date(delivery.sentAt) })).event,
    signatureHeader: (await verifySignatureHeader(delivery)).event,
    forged: await nameOf(verifySignatureHeader({ ...delivery, body: `${delivery.body} ` })),
  };
}

async function kindOf(call) {
  try {
    await call;
    return "no problem";
  } catch (error) {
    return isProblem(error) ? error.kind : String(error);
  }
}

async function nameOf(call) {
  try {
    await call;
    return "no error";
  } catch (error) {
    return error.name;
  }
}
