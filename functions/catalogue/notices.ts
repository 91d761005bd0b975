import type { Problem } from "../../shared/http/problems.ts";
import type { PageAnswer, PageStatus } from "./answer.ts";
import { type Html, html } from "./html.ts";
import type { Site } from "./site.ts";

/** A page that says why there is no other, and where to go. */
function notice(
  status: PageStatus,
  {
    title,
    text,
    more,
    headers = {},
  }: { title: string; text: string | Html; more?: Html | undefined; headers?: Record<string, string> },
  { base }: Site,
): PageAnswer {
  return {
    status,
    headers,
    page: {
      title,
      main: html`<div class="notice"><h1>${title}</h1><p>${text}</p>${more}
<form class="search" role="search" action="${base}/funding"><label for="search">Search the catalogue</label>
<div><input id="search" name="search" type="search" maxlength="400" autocomplete="off"><button type="submit">Search</button></div></form>
<ul><li><a href="${base}/funding">All open grants</a></li><li><a href="${base}/funding?dataset=contracts">All open contracts</a></li></ul></div>
`,
    },
  };
}

export function notFound(site: Site): PageAnswer {
  const text = "No page has this address. It may be mistyped or cut off. Search for it, or begin with a list.";
  return notice(404, { title: "There is nothing here", text }, site);
}

/**
 * A record that was withdrawn.
 *
 * @param name its title.
 * @param more a link to what its publisher has of it.
 */
export function withdrawn(name: string, more: Html | undefined, site: Site): PageAnswer {
  const text = html`<span dir="auto">${name}</span> has left the catalogue: its publisher no longer lists it.`;
  return notice(410, { title: "No longer listed", text, more }, site);
}

export function invalidAddress({ errors = [], detail }: Problem, site: Site): PageAnswer {
  const messages = errors.length === 0 ? [detail] : errors.map(({ parameter, message }) => `${parameter} ${message}`);
  const more = html`<ul>${messages.map((message) => html`<li>${message}</li>`)}</ul>`;
  return notice(
    400,
    { title: "This address cannot be read", text: "A part of it is not as it should be:", more },
    site,
  );
}

export function wrongMethod(allowed: string, site: Site): PageAnswer {
  const text = "Open the address in a browser.";
  return notice(405, { title: "Pages can only be read", text, headers: { Allow: allowed } }, site);
}

export function tooMany(waitSeconds: number, site: Site): PageAnswer {
  const wait = waitSeconds === 1 ? "a second" : `${waitSeconds} seconds`;
  const text = `Many pages were opened from your network in a short time. Try again in ${wait}. Programs use the API, with a key.`;
  return notice(429, { title: "A moment, please", text, headers: { "Retry-After": String(waitSeconds) } }, site);
}

/** A failure on our side; `retryAfter` where the same request may be answered later. */
export function failed(retryAfter: string | undefined, site: Site): PageAnswer {
  if (retryAfter === undefined) {
    const text = "The fault is on our side. Try again in a while.";
    return notice(500, { title: "Something went wrong", text }, site);
  }
  const text = "The catalogue could not answer in time. Try again in a few seconds.";
  return notice(503, { title: "Too busy right now", text, headers: { "Retry-After": retryAfter } }, site);
}
