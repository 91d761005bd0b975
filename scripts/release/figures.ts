import type { Figures } from "../../bench/speed/page/figures.ts";
import { unreleasedEntry } from "./files.ts";

const measure = "npm run bench -- --database-url URL --summary --page docs";
/** Grants of a published run: a shorter one is a trial. */
const fullSize = 79_700;

/**
 * Obstacles to a release with the published figures: sentences, none when there is none.
 *
 * @param code fingerprint of the code that is released.
 */
export function findFigureFaults(figures: Figures, code: string, changelog: string): string[] {
  const entry = unreleasedEntry(changelog).replace(/\s+/g, " ");
  const untold = figures.isReleased ? [] : figures.worse.filter(({ name }) => !entry.includes(`- ${name}:`));
  return [
    ...(figures.code === code
      ? []
      : [
          `docs/figures.json is not of the code that is released. Commit what "${measure}" writes, or release with --figures-of-last-release.`,
        ]),
    ...(figures.grants >= fullSize
      ? []
      : [`docs/figures.json is of ${figures.grants} grants; the figures of a release are of ${fullSize}.`]),
    ...untold.map(({ line }) => `"Unreleased" of CHANGELOG.md does not say why this got worse: ${line}`),
  ];
}
