import { hostFault, isLoopback } from "../../shared/webhooks/endpoint-url.ts";

/** Ports of the web. */
const ports = ["", "80", "443", "8080", "8443"];

/**
 * Returns the fault of an address that is not asked for, as a predicate, or undefined: only the public web is.
 *
 * @param allowLoopback whether this machine may be asked: for tests.
 */
export function addressFault(url: URL, allowLoopback: boolean): string | undefined {
  if (allowLoopback && isLoopback(url)) return undefined;
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is no address of the web";
  if (url.username !== "" || url.password !== "") return "has a user name or a password";
  if (!ports.includes(url.port)) return `has the port ${url.port}`;
  return hostFault(url.hostname) === undefined ? undefined : "is not on the public internet";
}
