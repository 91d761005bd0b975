/** Anchor of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** Where a link of a page leads in the reference: to another page's address, an anchor, or elsewhere. */
export function resolveLink(href: string): string {
  return href.replace(/^([a-z-]+)\.md/, "/reference/guide-$1");
}
