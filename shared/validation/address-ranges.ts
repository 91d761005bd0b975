import ipaddr from "ipaddr.js";
import * as z from "zod";

/** Limit of ranges in a list. */
export const maximumRanges = 20;

/** List of address ranges in CIDR notation, each in its canonical form and once. */
export function addressRanges() {
  const form = `must be a list of 1 to ${maximumRanges} address ranges, such as 203.0.113.0/24 or 2001:db8::/32, or null for any address`;
  return z
    .array(addressRange(), { error: form })
    .min(1, { error: form })
    .max(maximumRanges, { error: form })
    .transform((ranges) => [...new Set(ranges)]);
}

/** Address range in CIDR notation; an address alone is the range that has no other. */
function addressRange() {
  const form = "must be an address range, such as 203.0.113.0/24 or 2001:db8::/32, or an address";
  return z.string({ error: form }).transform((text, context) => {
    const range = parseRange(text.trim());
    if (range === undefined) return refuse(context, form);
    if (!range.isExact) return refuse(context, `must be ${range.text}, the range that ${text.trim()} is in`);
    return range.text;
  });
}

function refuse(context: z.RefinementCtx, message: string) {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** A range, in its canonical form. */
interface Range {
  text: string;
  /** Whether the text that was parsed named its first address, as a range does. */
  isExact: boolean;
}

/** Parses a range. One inside `::ffff:0:0/96` is the IPv4 range that is mapped there, since clients' addresses are taken so, too. */
function parseRange(text: string): Range | undefined {
  const [, address = "", given] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined;
  const parsed = ipaddr.parse(address);
  const bits = parsed.kind() === "ipv4" ? 32 : 128;
  const prefix = given === undefined ? bits : Number(given);
  if (prefix > bits) return undefined;
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && prefix >= 96) {
    return rangeOf(parsed.toIPv4Address(), prefix - 96);
  }
  return rangeOf(parsed, prefix);
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number): Range {
  const networkOf = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = networkOf.networkAddressFromCIDR(`${address}/${prefix}`).toString();
  return { text: `${first}/${prefix}`, isExact: first === address.toString() };
}
