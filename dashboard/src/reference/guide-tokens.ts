import { lexer, type Token } from "marked";

/** Tokens of a page of the documentation, without its title and its comments. */
export function guideTokens(page: string): Token[] {
  return lexer(page).filter((token) => !isTitle(token) && token.type !== "space" && token.type !== "html");
}

const isTitle = (token: Token) => token.type === "heading" && token.depth === 1;
