import { type Address, reservedRange } from "../webhooks/address.ts";
import { answerText, storable } from "../webhooks/answer-text.ts";
import { maximumAnswerBytes, maximumBodyWaitMs, type Transport, TransportError } from "../webhooks/transport.ts";

/**
 * The transport of an edge runtime, over its `fetch`, which takes a name and not an address: what the name resolves to
 * is checked right before where the runtime can look it up, but the connection is the runtime's own. A name that changes
 * in between is not caught here; docs/webhooks.md says what is behind it.
 *
 * @param resolve the addresses of a name, or undefined where the runtime cannot tell.
 */
export function createFetchTransport(resolve?: (hostname: string) => Promise<Address[]>): Transport {
  return {
    async send({ url, headers, body, timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs);
      if (resolve !== undefined) await check(url.hostname, resolve);
      try {
        const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
        return {
          status: response.status,
          headers: Object.fromEntries([...response.headers].map(([name, value]) => [name, storable(value)])),
          body: await textOf(response),
        };
      } catch (error) {
        if (signal.aborted) {
          throw new TransportError("timeout", `There was no answer within ${Math.round(timeoutMs / 1000)} s.`);
        }
        throw new TransportError("connection", storable((error as Error).message));
      }
    },
  };
}

async function check(hostname: string, resolve: (hostname: string) => Promise<Address[]>): Promise<void> {
  const addresses = await resolve(hostname).catch(() => []);
  if (addresses.length === 0) throw new TransportError("connection", `The name ${hostname} could not be resolved.`);
  if (addresses.some(({ address }) => reservedRange(address) !== undefined)) {
    throw new TransportError("address", `The name ${hostname} resolves to an address that is not public.`);
  }
}

/** What comes of a body, to the most that is read, in the time that it has. */
async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), maximumBodyWaitMs);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      bytes += part.value.byteLength;
      if (bytes > maximumAnswerBytes) break;
    }
  } catch {
    // The status is there, and it is what counts.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return answerText(parts);
}
