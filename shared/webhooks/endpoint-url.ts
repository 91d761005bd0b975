import { isAddress } from "./address.ts";

/** Longest URL of an endpoint, in characters. */
const maximumLength = 2_000;
/** Where receivers of webhooks listen: the ports of HTTPS and its usual second, and none of another protocol. */
const ports = ["", "443", "8443"];
/** Names that mean this machine or this network (RFC 6761, RFC 8375, RFC 6762). */
const localNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|localdomain|intranet|corp|home)\.?$/i;

/**
 * What is wrong with an endpoint's URL, as far as its text shows, or undefined. What its name resolves to is checked
 * right before each attempt.
 *
 * @param allowLoopback also take `http` and this machine: for development and tests.
 */
export function urlFault(text: string, allowLoopback = false): string | undefined {
  if (text.length > maximumLength) return `must be at most ${maximumLength} characters long`;
  if (!URL.canParse(text)) return "must be a URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must not hold a user name or a password";
  if (url.hash !== "") return "must not have a fragment";
  if (allowLoopback && isLoopback(url)) return undefined;
  if (url.protocol !== "https:") return "must be an https URL";
  if (!ports.includes(url.port)) return "must use the port 443 or 8443";
  if (isAddress(url.hostname)) return "must name its host: addresses are not accepted";
  if (!url.hostname.includes(".") || localNames.test(url.hostname)) return "must name a host on the public internet";
  return undefined;
}

/** Whether a URL is this machine's, by `http` or `https`. */
export function isLoopback(url: URL): boolean {
  return ["http:", "https:"].includes(url.protocol) && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
}
