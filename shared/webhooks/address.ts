import ipaddr from "ipaddr.js";

/** IP address that a name resolved to. */
export interface Address {
  address: string;
  family: 4 | 6;
}

/** IPv6's only block of global unicast addresses (IANA, "IPv6 Global Unicast Address Assignments"; RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Public addresses of cloud metadata services, which serve a machine's credentials or settings inside that cloud: Azure's
 * WireServer. (Those of other clouds are link-local, unique local or carrier-grade NAT, which are refused anyway.)
 */
const metadataAddresses = new Set(["168.63.129.16"]);

/**
 * Returns the reserved range of an address that nothing may be sent to, or undefined for a public address: `loopback`,
 * `private`, `linkLocal`, and so on, by IANA's registries of special addresses. An IPv4 address inside an IPv6 one counts
 * as the IPv4 address; any other IPv6 address must be global unicast.
 */
export function reservedRange(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return "invalid";
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    const inner = embeddedIPv4(parsed);
    if (inner !== undefined) return reservedRange(inner.toString());
    if (!parsed.match(globalUnicast)) return parsed.range() === "unicast" ? "notGlobal" : parsed.range();
  }
  if (metadataAddresses.has(parsed.toString())) return "cloudMetadata";
  const range = parsed.range();
  return range === "unicast" ? undefined : range;
}

/** Returns the IPv4 address inside a mapped (::ffff:a.b.c.d), NAT64 (64:ff9b::/96) or 6to4 address. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  switch (address.range()) {
    case "ipv4Mapped":
    case "rfc6052":
      return new ipaddr.IPv4(bytes.slice(12));
    case "6to4":
      return new ipaddr.IPv4(bytes.slice(2, 6));
    default:
      return undefined;
  }
}

/** Whether a URL's host is an IP address rather than a name, in any form that a URL allows. */
export function isAddress(hostname: string): boolean {
  return ipaddr.isValid(hostname.replace(/^\[|\]$/g, ""));
}
