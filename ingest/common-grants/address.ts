import { InputError } from "../errors.ts";

const root = "/common-grants";
const list = `${root}/opportunities`;

/**
 * Returns the address of an API's list of opportunities, of which the base address, `/common-grants` or the list itself is given.
 *
 * @throws {InputError} when it cannot be one.
 */
export function listAddress(given: string): URL {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new InputError("is not a web address");
  if (url.username !== "" || url.password !== "") {
    throw new InputError("has a name or password in it: a key belongs in COMMON_GRANTS_API_KEY");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InputError(
      "has parameters: give the address of the API alone, such as https://example.org/common-grants",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith(list) ? path : path.endsWith(root) ? `${path}/opportunities` : `${path}${list}`;
  return url;
}

/** Whether an address is on this machine, where nobody listens between the two. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Name that an API's records have as their `source`: its host, and Grants.gov's own for Simpler.Grants.gov. */
export function sourceOf({ hostname }: URL): string {
  if (isGrantsGovHost(hostname)) return "grants-gov";
  return hostname
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64);
}

export function isGrantsGovHost(host: string): boolean {
  return /(?:^|\.)grants\.gov$/i.test(host);
}
