// Written at the build, by build/guides.ts.

declare module "virtual:guides" {
  import type { Token } from "marked";

  /** Loads a guide's tokens, by its name. */
  export const guideTexts: Readonly<Record<string, () => Promise<{ default: readonly Token[] }>>>;
}
