import { type Html, html } from "./html.ts";

/** An address of the web; undefined for any other text. */
export function webUrl(text: string | null | undefined): URL | undefined {
  const url = text == null ? null : URL.parse(text.trim());
  return url !== null && ["http:", "https:"].includes(url.protocol) ? url : undefined;
}

/** A link to another site. It tells that site nothing of the page. */
export function outside(url: URL, text: string | Html): Html {
  return html`<a href="${url.href}" rel="noopener noreferrer nofollow external">${text}</a>`;
}

/** A link that writes to an address; the address alone where it is none. */
export function mailTo(address: string): Html {
  return /^[^\s@<>?&%"']+@[^\s@<>?&%"']+$/.test(address)
    ? html`<a href="mailto:${address}">${address}</a>`
    : html`${address}`;
}
