import ipaddr from "ipaddr.js";

/** An address that a name resolved to. */
export interface Address {
  address: string;
  family: 4 | 6;
}

/** IPv6's only block of global unicast addresses (IANA, "IPv6 Global Unicast Address Assignments"; RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Public addresses that answer inside a cloud alone, where they hold credentials or settings of the machine:
 * Azure's WireServer. (Others' are link-local, unique local or carrier-grade NAT, which are refused anyway.)
 */
const metadataAddresses = new Set(["168.63.129.16"]);

/**
 * Why nothing is sent to an address, or undefined when it is a public one: `loopback`, `private`, `linkLocal`, and so on,
 * by IANA's registries of special addresses. An IPv4 address inside an IPv6 one is judged as the IPv4 address; any
 * other IPv6 address must be global unicast.
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

/** The IPv4 address that a mapped (::ffff:a.b.c.d), a NAT64 (64:ff9b::/96) or a 6to4 address stands for. */
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

/** Whether a URL's host is an address rather than a name, in any of the ways that a URL can write one. */
export function isAddress(hostname: string): boolean {
  return ipaddr.isValid(hostname.replace(/^\[|\]$/g, ""));
}
