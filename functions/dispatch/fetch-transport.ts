import { toStorable } from "../../shared/validation/storable.ts";
import { type Address, reservedRange } from "../../shared/webhooks/address.ts";
import { bodySentOnce } from "./body-sent-once.ts";
import {
  decodeAnswer,
  maximumAnswerBytes,
  maximumBodyWaitMs,
  readAnswerHeaders,
  type Transport,
  TransportError,
} from "./transport.ts";

/**
 * Creates the transport of an edge runtime, over its `fetch`. Where the runtime can resolve names, the addresses of the
 * receiver's name are checked right before the request. But `fetch` takes a name and resolves it again, so a name that
 * changes in between is not caught here; docs/webhooks.md describes what protects the network behind it.
 *
 * @param resolve returns the addresses of a name; undefined where the runtime cannot resolve names.
 */
export function createFetchTransport(resolve?: (hostname: string) => Promise<Address[]>): Transport {
  return {
    async send({ url, headers, body, timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs);
      if (resolve !== undefined) await checkAddresses(url.hostname, resolve);
      try {
        const sent = { method: "POST", headers, body: bodySentOnce(body), redirect: "manual", signal } as const;
        const response = await fetch(url, sent);
        return {
          status: response.status,
          headers: readAnswerHeaders(response.headers),
          body: await readBody(response),
        };
      } catch (error) {
        if (signal.aborted) {
          throw new TransportError("timeout", `There was no answer within ${Math.round(timeoutMs / 1000)} s.`);
        }
        throw new TransportError("connection", toStorable((error as Error).message));
      }
    },
  };
}

/** @throws {TransportError} unless every address of the name is public. */
async function checkAddresses(hostname: string, resolve: (hostname: string) => Promise<Address[]>): Promise<void> {
  const addresses = await resolve(hostname).catch(() => []);
  if (addresses.length === 0) throw new TransportError("connection", `The name ${hostname} could not be resolved.`);
  if (addresses.some(({ address }) => reservedRange(address) !== undefined)) {
    throw new TransportError("address", `The name ${hostname} resolves to an address that is not public.`);
  }
}

/** Reads at most `maximumAnswerBytes` of the body, for at most `maximumBodyWaitMs`. */
async function readBody(response: Response): Promise<string> {
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
    // The status has arrived, and it alone counts.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return decodeAnswer(parts);
}
