import { posix } from "node:path";

/** A document's address in a text: its path, and the anchor behind `#`. */
const target = /^([^#\s]*)(?:#(\S*))?$/;
/** A Markdown link. Its text may hold code, and a picture's is empty. */
const link = /\]\(([^()\s]+)\)/g;
/** A page that code names, from the root of the repository: `docs/api.md`, `docs/operate/upgrade.md#from-11-to-12`. */
const mention = /(?<![\w/.-])((?:docs\/(?:[\w-]+\/)*[\w-]+|CONTRIBUTING|SECURITY)\.(?:md|yml)(?:#[\w-]+)?)/g;
/** A path of this repository in backticks, of a file with an ending. Capitals stand for a name. */
const path =
  /`((?:bench|cli|dashboard|database|functions|ingest|local|openapi|packages|scripts|shared|status|supabase|tests|worker)\/[\w./-]+\.(?:tsx?|mjs|sql|sh|py|json|md|toml))`/g;
/** A fixture's link, which need not lead anywhere. */
const isFixture = (file: string) => file.startsWith("tests/") && !file.endsWith(".md");

/**
 * Finds links that lead nowhere. Returns a line for each: `README.md:12: shared/gone.ts is not there`.
 *
 * @param texts the repository's documents and code, by path from its root.
 * @param exists whether the repository has a file or folder, which may be none of the texts.
 */
export function findLinkFaults(texts: ReadonlyMap<string, string>, exists: (path: string) => boolean): string[] {
  const faults: string[] = [];
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (file: string) => {
    const known = anchors.get(file) ?? headingAnchors(texts.get(file) ?? "");
    anchors.set(file, known);
    return known;
  };
  const check = (location: string, file: string, anchor: string | undefined) => {
    if (!exists(file)) faults.push(`${location}: ${file} is not there`);
    else if (anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).has(anchor)) {
      faults.push(`${location}: ${file} has no heading #${anchor}`);
    }
  };
  for (const [file, text] of texts) {
    const isDocument = file.endsWith(".md");
    for (const [index, line] of (isDocument ? withoutFences(text) : text.split("\n")).entries()) {
      const location = `${file}:${index + 1}`;
      if (isDocument) {
        for (const [, address = ""] of line.matchAll(link)) {
          if (/^(?:[a-z]+:|\/)/.test(address)) continue;
          const [, relative = "", anchor] = target.exec(address) ?? [];
          check(location, relative === "" ? file : posix.join(posix.dirname(file), relative), anchor);
        }
        for (const [, named = ""] of line.matchAll(path)) {
          if (!/NAME|NUMBER|\.\.\./.test(named)) check(location, named, undefined);
        }
      } else if (!isFixture(file)) {
        for (const [, named = ""] of line.matchAll(mention)) {
          const [, page = "", anchor] = target.exec(named) ?? [];
          check(location, page, anchor);
        }
      }
    }
  }
  return faults;
}

/** Lines of a document, those of fenced blocks empty. */
function withoutFences(text: string): string[] {
  let fence: string | undefined;
  return text.split("\n").map((line) => {
    const [, mark] = /^\s*(`{3,})/.exec(line) ?? [];
    if (mark === undefined) return fence === undefined ? line : "";
    if (fence === undefined) fence = mark;
    else if (mark === fence) fence = undefined;
    return "";
  });
}

/** Anchors of a document's headings, as GitHub makes them: the second of two that are alike gets `-1`. */
function headingAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of withoutFences(text)) {
    const [, heading] = /^#{1,6} (.+)$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
