/** Result of a check of the API. */
export type StatusCheck =
  | { outcome: "ready"; at: number; responseMs: number; dataAsOf: Readonly<Record<string, string>> }
  | { outcome: "not-ready"; at: number; detail: string }
  | { outcome: "unreachable"; at: number };

/** Longest wait for an answer. */
const timeoutMs = 10_000;

/** Asks the API whether it can serve, as a load balancer does. Never throws. @param baseUrl address up to `/functions/v1`. */
export async function checkStatus(baseUrl: string): Promise<StatusCheck> {
  const startedAt = performance.now();
  try {
    const response = await fetch(`${baseUrl}/health/ready`, {
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = (await response.json()) as { status?: unknown; detail?: unknown; data_as_of?: Record<string, string> };
    const at = Date.now();
    if (response.ok && body.status === "ready") {
      const responseMs = Math.round(performance.now() - startedAt);
      return { outcome: "ready", at, responseMs, dataAsOf: body.data_as_of ?? {} };
    }
    const detail = typeof body.detail === "string" ? body.detail : `It answered ${response.status}.`;
    return { outcome: "not-ready", at, detail };
  } catch {
    return { outcome: "unreachable", at: Date.now() };
  }
}
