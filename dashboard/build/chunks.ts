import type { Rolldown } from "vite";

/** Modules that are loaded with every page, and the public pages, which any visitor may open first. */
const everyPage = /\/src\/main\.tsx$/;
const publicPage = /\/src\/(reference|changelog|status)\/page\.tsx$/;

/** Parts of pages. */
const shared = /\/src\/((components|layout)\/|reference\/text\.tsx$)/;

/**
 * Names the chunk of a module. All that is loaded with every page, and parts that a public page shares with others, are one
 * chunk: apart they would be some twenty, which a browser fetches six at a time.
 */
export function chunkName(id: string, context: Rolldown.ChunkingContext): string | null {
  const importers = importersOf(id, context);
  if (importers.some((importer) => everyPage.test(importer))) return "base";
  return shared.test(id) && importers.some((importer) => publicPage.test(importer)) ? "base" : null;
}

/** A module and all that import it, directly or through others; but not on demand. */
function importersOf(id: string, context: Rolldown.ChunkingContext): string[] {
  const found = new Set([id]);
  for (const each of found) {
    for (const importer of context.getModuleInfo(each)?.importers ?? []) found.add(importer);
  }
  return [...found];
}
