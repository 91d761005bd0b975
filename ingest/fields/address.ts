import { shown, ValueError } from "../errors.ts";
import { lineOf } from "./value.ts";

const bareDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}([/?#]|$)/i;

/**
 * A web address with http or https. A bare domain (www.example.org/grants) gets https; scheme and
 * host are put in lower case.
 */
export function urlOf(value: unknown): string {
  const text = lineOf(value);
  const address = bareDomain.test(text) ? `https://${text}` : text;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || !url.hostname.includes(".")) {
    throw new ValueError(`${shown(value)} is not a web address`);
  }
  // URL adds a slash to a domain that was written without one.
  return url.pathname === "/" && !/[/?#]/.test(address.slice(address.indexOf("//") + 2))
    ? url.href.slice(0, -1)
    : url.href;
}

/** An e-mail address in lower case, without "mailto:". */
export function emailOf(value: unknown): string {
  const text = lineOf(value)
    .toLowerCase()
    .replace(/^mailto:/, "");
  if (!/^[^\s@<>(),;]+@[^\s@<>(),;]+\.[a-z]{2,}$/.test(text))
    throw new ValueError(`${shown(value)} is not an e-mail address`);
  return text;
}
