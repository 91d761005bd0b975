import { lexer, type Token } from "marked";
import type { Plugin } from "vite";
import { pages } from "../../functions/openapi/pages.generated.ts";

const index = "virtual:guides";
const prefix = "virtual:guide/";

/**
 * Makes modules of the pages of the documentation: `virtual:guide/NAME` has the tokens of one, and `virtual:guides` loads them by their names. So a
 * browser loads the text of the page that it shows, and nothing that reads Markdown.
 */
export function guideModules(): Plugin {
  return {
    name: "guide-modules",
    resolveId: (id) => (id === index || id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${index}`) {
        const loaders = pages.map(({ name }) => `${JSON.stringify(name)}: () => import("${prefix}${name}")`);
        return `export const guideTexts = {${loaders.join(",")}};`;
      }
      const page = pages.find(({ name }) => id === `\0${prefix}${name}`);
      return page === undefined ? undefined : `export default ${JSON.stringify(shownTokens(page.text))};`;
    },
  };
}

/** Tokens of a page of the documentation, without its title and its comments. */
export function guideTokens(page: string): Token[] {
  return lexer(page).filter((token) => !isTitle(token) && token.type !== "space" && token.type !== "html");
}

const isTitle = (token: Token) => token.type === "heading" && token.depth === 1;

/** Members of a token that src/reference/guide-page.tsx reads, as JSON: a text that has tokens is shown by these. */
function shownTokens(page: string): unknown {
  const shown = new Set(["type", "depth", "ordered", "lang", "href", "text", "tokens", "items", "header", "rows"]);
  return JSON.parse(
    JSON.stringify(guideTokens(page), function (this: unknown, key: string, value: unknown) {
      if (key !== "" && !/^\d+$/.test(key) && !shown.has(key)) return undefined;
      const { type, tokens } = this as Partial<Token> & { tokens?: Token[] };
      return key === "text" && type !== "heading" && tokens !== undefined ? undefined : value;
    }),
  );
}
