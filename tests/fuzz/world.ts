/** Identifiers, keys and cursors of the service under test, to make requests of. */
export interface World {
  /** Up to and including `/functions/v1`. */
  baseUrl: URL;
  keys: { developer: string; limited: string; free: string };
  /** Somebody's access token, for the account API. */
  token: string;
  /** Ids of some records, by function. */
  ids: Readonly<Record<string, readonly string[]>>;
  billingSecret: string;
  dispatchSecret: string;
  /** Whether everything else at this origin is the service's too: its pages and its sign-in. */
  hasPages: boolean;
}

/** Asks the service for some ids of each dataset. */
export async function idsAt(baseUrl: URL, key: string): Promise<World["ids"]> {
  const lists = {
    "grants-api": "grants-api?limit=20",
    "contracts-api": "contracts-api?limit=20",
    "funders-api": "funders-api?limit=20",
    awarded: "grants-api?limit=20&opportunity_type=awarded",
  };
  const entries = await Promise.all(
    Object.entries(lists).map(async ([name, list]) => {
      const answer = await fetch(`${baseUrl}/${list}`, { headers: { authorization: `Bearer ${key}` } });
      const { results } = (await answer.json()) as { results: { id: string }[] };
      return [name, results.map(({ id }) => id)] as const;
    }),
  );
  const { awarded = [], ...ids } = Object.fromEntries(entries);
  return { ...ids, "common-grants": [...(ids["grants-api"] ?? []), ...awarded, ...(ids["funders-api"] ?? [])] };
}
