/** Serves a stand-in for PostgREST that admits every caller to an empty list, of snapshots too, so that only our own start is timed. */
export function serveRestStandIn(): { url: string; close(): Promise<void> } {
  const answer = {
    admission: { api_key_id: crypto.randomUUID(), daily_quota: -1, remaining: -1 },
    body: {
      results: [],
      total: 0,
      next: null,
      facets: null,
      sort_by: "deadline_date",
      order: "asc",
      search_mode: "keyword",
      data_as_of: "2026-01-01T00:00:00.000Z",
      is_included: true,
      snapshots: [],
    },
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, () => Response.json(answer));
  return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
}
