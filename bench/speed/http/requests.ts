import type { PostgRest } from "./postgrest.ts";

/** Asks once and reads the whole answer. */
export async function get(url: string, headers: Record<string, string>): Promise<string> {
  return wholeAnswer(await fetch(url, { headers }));
}

/** Calls a function of the database through PostgREST, as supabase-js would. */
export async function callRpc(
  { url, serviceKey }: PostgRest,
  schema: string,
  name: string,
  parameters: object,
): Promise<string> {
  return wholeAnswer(
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

async function wholeAnswer(response: Response): Promise<string> {
  const text = await response.text();
  // 206 is PostgREST's answer for a page of a counted list.
  if (response.status !== 200 && response.status !== 206)
    throw new Error(`${response.url}: ${response.status} ${text}`);
  return text;
}
