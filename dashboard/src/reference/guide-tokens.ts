import { lexer, type Token } from "marked";

/** Tokens of a page of the documentation, without its title and its comments. */
export function guideTokens(page: string): Token[] {
  return lexer(page).filter((token) => !isTitle(token) && token.type !== "space" && token.type !== "html");
}

const isTitle = (token: Token) => token.type === "heading" && token.depth === 1;

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
