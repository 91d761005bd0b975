/**
 * Returns an address as a URI of RFC 3986, which the protocol's `format: uri` is: publishers' addresses have spaces, pipes and
 * brackets, which browsers accept.
 *
 * @returns undefined where it is no address of the web.
 */
export function toUri(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const { protocol, host, pathname, search, hash } = url;
  const fragment = hash === "" ? "" : `#${percentEncode(hash.slice(1))}`;
  return `${protocol}//${host}${percentEncode(pathname)}${percentEncode(search)}${fragment}`;
}

/** Percent-encodes characters that a path, query or fragment must not have. */
function percentEncode(part: string): string {
  return part.replace(/%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/giu, encodeURIComponent);
}
