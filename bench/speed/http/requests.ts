import type { PostgRest } from "./postgrest.ts";

/** Sends a GET request and reads the whole answer. */
export async function get(url: string, headers: Record<string, string>): Promise<string> {
  return readAnswer(await fetch(url, { headers }));
}

/** Calls a function of the database through PostgREST, as supabase-js would. */
export async function callRpc(
  { url, serviceKey }: PostgRest,
  schema: string,
  name: string,
  parameters: object,
): Promise<string> {
  return readAnswer(
    await fetch(`${url}/rpc/${name}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${serviceKey}`,
        "content-type": "application/json",
        "content-profile": schema,
      },
      body: JSON.stringify(parameters),
    }),
  );
}

async function readAnswer(response: Response): Promise<string> {
  const text = await response.text();
  // PostgREST answers a page of a counted list with 206.
  if (response.status !== 200 && response.status !== 206)
    throw new Error(`${response.url}: ${response.status} ${text}`);
  return text;
}

/** Fetches from a PostgREST without a gateway before it: removes the prefix of the path, as Supabase's gateway would. */
export function fetchDirectly(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  return fetch(String(input instanceof Request ? input.url : input).replace("/rest/v1/", "/"), init);
}
