import { isAddress } from "./address.ts";

/** Longest URL of an endpoint, in characters. */
const maximumLength = 2_000;
/** Accepted ports: HTTPS and its usual alternative. Other protocols' ports are refused. */
const ports = ["", "443", "8443"];
/** Names of this machine or the local network (RFC 6761, RFC 8375, RFC 6762). */
const localNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|localdomain|intranet|corp|home)\.?$/i;

/**
 * Returns the fault of the text of an endpoint's URL, or undefined. The addresses of its name are checked right before
 * each attempt.
 *
 * @param allowLoopback also accepts this machine, by `http` too: for development and tests.
 */
export function urlFault(text: string, allowLoopback = false): string | undefined {
  if (text.length > maximumLength) return `must be at most ${maximumLength} characters long`;
  if (!URL.canParse(text)) return "must be a URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (url.hash !== "") return "must not have a fragment";
  if (allowLoopback && isLoopback(url)) return undefined;
  if (url.protocol !== "https:") return "must be an https URL";
  if (!ports.includes(url.port)) return "must use port 443 or 8443";
  return hostFault(url.hostname);
}

/** Returns the fault of a host that nothing may be sent to, or undefined: it has to have a name that may be on the public internet. */
export function hostFault(hostname: string): string | undefined {
  if (isAddress(hostname)) return "must have a host name: IP addresses are not accepted";
  if (!hostname.includes(".") || localNames.test(hostname)) return "must have a host name on the public internet";
  return undefined;
}

/** Whether a URL leads to this machine, by `http` or `https`. */
export function isLoopback(url: URL): boolean {
  return ["http:", "https:"].includes(url.protocol) && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
}
