import type { Run } from "./runs.ts";

/** Fewest bullets of a font that has nothing but bullets. */
const minBullets = 3;

/** Replaces the letters of fonts that have only bullets and boxes: "F Register" is a box to tick before "Register". */
export function replaceSymbols(runs: readonly Run[]): void {
  const byFont = new Map<string, Run[]>();
  for (const run of runs) {
    const known = byFont.get(run.font);
    if (known === undefined) byFont.set(run.font, [run]);
    else known.push(run);
  }
  for (const ofFont of byFont.values()) {
    const isSymbols = ofFont.every(({ text }) => /^[^\p{N}\s]$/u.test(text.trim()));
    const signs = new Set(ofFont.map(({ text }) => text.trim()));
    if (!isSymbols || ofFont.length < minBullets || signs.size > 3) continue;
    for (const run of ofFont) if (/[\p{L}{}|~§¨©®°]/u.test(run.text)) run.text = "☐";
  }
}
