import { type ReceivedAnswer, TransportError } from "../../functions/dispatch/transport.ts";
import type { Host } from "../web/host.ts";
import { transportReason, type Unanswered, unanswered, type Web } from "../web/web.ts";

/** What was found at an address. `unknown`: its host does not let this program look. */
export interface LinkResult {
  result: "ok" | "failing" | "unknown";
  /** Reason of a result that is not `ok`, as a predicate about the address. */
  reason: string | null;
}

/** Statuses that say what the host thinks of programs, not whether a person finds anything. */
const unwelcome = new Set([401, 403, 405, 406, 407, 451]);

/**
 * Checks an address: asks for its headers, and for the whole where that does not go well.
 *
 * @throws {HostClosedError} where a host wants no more requests in this run.
 */
export async function checkLink(address: string, web: Web): Promise<LinkResult> {
  const answer = await web.follow(address, ask);
  if ("reason" in answer) return { result: answer.isClosed ? "unknown" : "failing", reason: answer.reason };
  const { status } = answer;
  if (status >= 200 && status < 400) return { result: "ok", reason: null };
  return { result: unwelcome.has(status) ? "unknown" : "failing", reason: `answers ${status}` };
}

/** Asks for the headers, and again for the whole where they fail: some hosts know only that. */
async function ask(host: Host, url: URL): Promise<ReceivedAnswer | Unanswered> {
  let reason = "";
  for (const method of ["HEAD", "GET"] as const) {
    try {
      const answer = await host.ask(url, method);
      if (answer.status < 400 || method === "GET") return answer;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      reason = transportReason(error);
      if (error.fault === "address") break;
    }
  }
  return unanswered(reason);
}
