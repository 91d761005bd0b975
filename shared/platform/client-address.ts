import ipaddr from "ipaddr.js";
import { LruCache } from "../lru-cache.ts";

/** Header in which Cloudflare gives a Worker the client's address. It replaces one that the client sent. */
export const cloudflareHeader = "cf-connecting-ip";

/**
 * Reads the variable `CLIENT_ADDRESS_HEADER`: the header in which the proxy in front of this server, or the platform, gives the client's address.
 *
 * @returns the name in lower case; undefined where the variable is not set.
 * @throws when it is not the name of a header.
 */
export function clientAddressHeader(variable: (name: string) => string | undefined): string | undefined {
  const name = variable("CLIENT_ADDRESS_HEADER");
  if (name === undefined || /^[a-z0-9-]+$/i.test(name)) return name?.toLowerCase();
  throw new Error(
    `CLIENT_ADDRESS_HEADER is ${JSON.stringify(name)}; it must be the name of a header, such as x-real-ip`,
  );
}

/** Addresses parsed last. Parsing one of IPv6 takes longer than parsing a query string, and clients send many requests. */
const parsedAddresses = new LruCache<string>(1_000);
/** Longest text that is kept, in characters: any address, with a port and a zone. */
const longestKept = 64;

/**
 * Returns the last address of a header. A proxy that overwrites the header leaves one; a proxy that adds to it, as to `X-Forwarded-For`, adds the
 * address that it sees at the end. The addresses before it are the client's own word.
 *
 * @returns undefined where the header is missing, or its last part is no address.
 */
export function addressInHeader(headers: Headers, name: string | undefined): string | undefined {
  const value = name === undefined ? null : headers.get(name);
  if (value === null) return undefined;
  const last = value.split(",").at(-1) ?? "";
  const known = parsedAddresses.get(last);
  if (known !== undefined) return known;
  const address = parseAddress(last);
  if (address !== undefined && last.length <= longestKept) parsedAddresses.set(last, address);
  return address;
}

/**
 * Parses an IP address, with or without a port.
 *
 * @returns its canonical form: an IPv4 address also for one that is mapped into IPv6 (`::ffff:192.0.2.1`), and no zone; undefined for other texts.
 */
export function parseAddress(text: string): string | undefined {
  const given = text.trim();
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(given)?.[1] ?? /^([\d.]+):\d+$/.exec(given)?.[1] ?? given;
  const unzoned = address.replace(/^([\da-f:.]*:[\da-f:.]*)%\w+$/i, "$1");
  // `isValid` takes 0x7f.1 and 017700000001 as well.
  if (!ipaddr.IPv4.isValidFourPartDecimal(unzoned) && !ipaddr.IPv6.isValid(unzoned)) return undefined;
  return ipaddr.process(unzoned).toString();
}
