import type { TransportError } from "../../functions/dispatch/transport.ts";
import { addressFault } from "./address.ts";
import { Host, HostClosedError, type HostOptions } from "./host.ts";

/** Hosts that are asked at a time. */
const hostsAtATime = 16;
const mostRedirects = 5;

export interface WebOptions extends HostOptions {
  /** Whether this machine may be asked: for tests. */
  allowLoopback: boolean;
}

/** An answer as far as redirects depend on it. Names of headers are in lower case. */
interface Answer {
  status: number;
  headers: Record<string, string>;
}

/** Why an address has no answer, as a predicate about it. `isClosed`: its host does not let this program look. */
export interface Unanswered {
  reason: string;
  isClosed: boolean;
}

/** The public web, as a program asks it that is nobody's burden: each host by one request at a time, with pauses, as its robots.txt says. */
export class Web {
  readonly #options: WebOptions;
  readonly #hosts = new Map<string, Host>();

  constructor(options: WebOptions) {
    this.#options = options;
  }

  /**
   * Asks for an address and follows redirects. Each is held to the rules of the first address, so that none leads into a private network.
   *
   * @param ask asks the host for one address.
   * @throws {HostClosedError} where a host wants no more requests in this run.
   */
  async follow<Given extends Answer>(
    address: string,
    ask: (host: Host, url: URL) => Promise<Given | Unanswered>,
  ): Promise<Given | Unanswered> {
    let url = URL.parse(address);
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const fault = url === null ? "is no address" : addressFault(url, this.#options.allowLoopback);
      if (url === null || fault !== undefined) return unanswered(redirected(redirects, fault ?? ""));
      url.hash = "";
      const host = this.#hostOf(url);
      if (!(await host.allows(url))) return { reason: "is closed to programs by robots.txt", isClosed: true };
      const answer = await ask(host, url);
      if ("reason" in answer) return { ...answer, reason: redirected(redirects, answer.reason) };
      const { status, headers } = answer;
      const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
      if (!isRedirect) return answer;
      url = URL.parse(headers.location ?? "", url);
    }
    return unanswered(`redirects more than ${mostRedirects} times`);
  }

  /**
   * Visits addresses: several hosts at a time, each by one visit at a time. Those whose host wants no more requests, and those that are not begun when
   * it is over, are left.
   */
  async visit(urls: readonly string[], isOver: () => boolean, visit: (url: string) => Promise<unknown>): Promise<void> {
    const queues = byHost(urls);
    const work = async () => {
      for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
        for (const url of queue) {
          if (isOver()) return;
          // The host that closed is the address's own, or one that it leads to.
          await visit(url).catch(passClosed);
        }
      }
    };
    await Promise.all(Array.from({ length: hostsAtATime }, work));
  }

  #hostOf({ hostname }: URL): Host {
    const host = this.#hosts.get(hostname) ?? new Host(this.#options);
    this.#hosts.set(hostname, host);
    return host;
  }
}

export function unanswered(reason: string): Unanswered {
  return { reason, isClosed: false };
}

/** Reason of an address that could not be reached, as a predicate without a full stop. */
export function transportReason({ fault, message }: TransportError): string {
  if (fault === "address") return "is not on the public internet";
  return fault === "timeout" ? "does not answer in time" : `cannot be reached: ${message.replace(/\.$/, "")}`;
}

const redirected = (redirects: number, reason: string) =>
  redirects === 0 ? reason : `redirects to an address that ${reason}`;

function passClosed(error: unknown): void {
  if (!(error instanceof HostClosedError)) throw error;
}

/** Addresses by their hosts, those of most addresses first, since they take longest. */
function byHost(urls: readonly string[]): string[][] {
  const queues = new Map<string, string[]>();
  for (const url of urls) {
    const name = URL.parse(url)?.hostname ?? "";
    const queue = queues.get(name);
    if (queue === undefined) queues.set(name, [url]);
    else queue.push(url);
  }
  return [...queues.values()].sort((one, other) => other.length - one.length);
}
