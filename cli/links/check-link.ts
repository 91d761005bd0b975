import { type ReceivedAnswer, TransportError } from "../../functions/dispatch/transport.ts";
import { hostFault, isLoopback } from "../../shared/webhooks/endpoint-url.ts";
import type { Host } from "./host.ts";

/** What was found at an address. `unknown`: its host does not let this program look. */
export interface LinkResult {
  result: "ok" | "failing" | "unknown";
  /** Reason of a result that is not `ok`, as a predicate about the address. */
  reason: string | null;
}

/** Where links may lead, and the hosts there. */
export interface Web {
  hostOf(url: URL): Host;
  /** Whether this machine may be asked: for tests. */
  allowLoopback: boolean;
}

const mostRedirects = 5;
/** Ports of the web. */
const ports = ["", "80", "443", "8080", "8443"];
/** Statuses that say what the host thinks of programs, not whether a person finds anything. */
const unwelcome = new Set([401, 403, 405, 406, 407, 451]);

/**
 * Checks an address: asks for its headers, and for the whole where that does not go well. Follows redirects; each is held to the rules of the first
 * address, so that none leads into a private network.
 *
 * @throws {HostClosedError} where a host wants no more requests in this run.
 */
export async function checkLink(address: string, web: Web): Promise<LinkResult> {
  let url = URL.parse(address);
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const fault = url === null ? "is no address" : linkFault(url, web.allowLoopback);
    if (url === null || fault !== undefined) return { result: "failing", reason: redirected(redirects, fault ?? "") };
    url.hash = "";
    const host = web.hostOf(url);
    if (!(await host.allows(url))) return { result: "unknown", reason: "is closed to programs by robots.txt" };
    const answer = await ask(host, url);
    if ("reason" in answer) return { result: "failing", reason: redirected(redirects, answer.reason) };
    const { status, headers } = answer;
    const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
    if (!isRedirect) return resultOf(status);
    url = URL.parse(headers.location ?? "", url);
  }
  return { result: "failing", reason: `redirects more than ${mostRedirects} times` };
}

const redirected = (redirects: number, reason: string) =>
  redirects === 0 ? reason : `redirects to an address that ${reason}`;

/** Fault of an address that is not asked for, as a predicate. */
function linkFault(url: URL, allowLoopback: boolean): string | undefined {
  if (allowLoopback && isLoopback(url)) return undefined;
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is no address of the web";
  if (url.username !== "" || url.password !== "") return "has a user name or a password";
  if (!ports.includes(url.port)) return `has the port ${url.port}`;
  return hostFault(url.hostname) === undefined ? undefined : "is not on the public internet";
}

/** Asks for the headers, and again for the whole where they fail: some hosts know only that. */
async function ask(host: Host, url: URL): Promise<ReceivedAnswer | { reason: string }> {
  let reason = "";
  for (const method of ["HEAD", "GET"] as const) {
    try {
      const answer = await host.ask(url, method);
      if (answer.status < 400 || method === "GET") return answer;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error.fault === "address") return { reason: "is not on the public internet" };
      reason = error.fault === "timeout" ? "does not answer in time" : `cannot be reached: ${error.message}`;
    }
  }
  return { reason };
}

function resultOf(status: number): LinkResult {
  if (status >= 200 && status < 400) return { result: "ok", reason: null };
  return { result: unwelcome.has(status) ? "unknown" : "failing", reason: `answers ${status}` };
}
