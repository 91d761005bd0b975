import { quoteValue, ValueError } from "../errors.ts";
import { addressOfLink, toLine } from "./value.ts";

const bareDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}([/?#]|$)/i;

/** Divider of addresses: semicolons, commas, bars or spaces before the next one. */
export const betweenAddresses = /(?:\s*[;,|]\s*|\s+)(?=https?:\/\/)/i;

/**
 * Reads a web address with http or https, the first where there are several. A bare domain (www.example.org/grants) gets https.
 * Scheme and host become lower case, and HTML's `&amp;` is `&`. Of a spreadsheet's link, it is the address, and not the label.
 */
export function parseUrl(value: unknown): string {
  const [first = ""] = (addressOfLink(value) ?? toLine(value)).split(betweenAddresses, 1);
  const text = first.replace(/[;,]$/, "").replaceAll(/&(?:amp;)+/gi, "&");
  const address = bareDomain.test(text) ? `https://${text}` : text;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || !url.hostname.includes(".")) {
    throw new ValueError(`${quoteValue(value)} is not a web address`);
  }
  // URL adds a slash to a domain that was written without one. The slash is removed again.
  return url.pathname === "/" && !/[/?#]/.test(address.slice(address.indexOf("//") + 2))
    ? url.href.slice(0, -1)
    : url.href;
}

/** Reads an e-mail address: lower case, without "mailto:". */
export function parseEmail(value: unknown): string {
  const link = addressOfLink(value);
  const text = (link !== undefined && /^mailto:/i.test(link) ? link : toLine(value))
    .toLowerCase()
    .replace(/^mailto:|\?.*$/g, "");
  if (!/^[^\s@<>(),;]+@[^\s@<>(),;]+\.[a-z]{2,}$/.test(text))
    throw new ValueError(`${quoteValue(value)} is not an e-mail address`);
  return text;
}

/** Reads a phone number as it is written: seven digits or more, with signs between them, and an extension. */
export function parsePhone(value: unknown): string {
  const text = toLine(value).replace(/^(?:tel|phone)[:. ]\s*/i, "");
  if (
    text.length > 40 ||
    !/^\+?[\d().\-/ ]{7,}(?:,? ?(?:x|ext\.?|extension) ?\d+)?$/i.test(text) ||
    text.replaceAll(/\D/g, "").length < 7
  )
    throw new ValueError(`${quoteValue(value)} is not a phone number`);
  return text;
}
