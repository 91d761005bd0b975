import type { PDFPageProxy } from "unpdf/pdfjs";
import { cleanText, unreadableShare } from "../clean-text.ts";
import { type Placement, readStructure } from "./structure.ts";

/** Text that a page draws in one font on one line. Lengths are in points of the page as displayed; y grows downwards. */
export interface Run {
  text: string;
  x: number;
  /** Baseline. */
  y: number;
  width: number;
  size: number;
  font: string;
  /** Place in the document's tags, where it has any. */
  tag: Placement | undefined;
}

/** Text of a page as drawn. */
export interface PageRuns {
  page: number;
  width: number;
  height: number;
  runs: Run[];
}

interface TextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
  fontName: string;
}

/** Share of codes without a meaning from which on a page has no text that can be read. */
const unreadablePageShare = 0.3;

/** Reads the runs of a page in the order in which they are drawn. Artifacts (running heads, ornaments) of a tagged document are left out. */
export async function readRuns(page: PDFPageProxy, isTagged: boolean): Promise<PageRuns> {
  const viewport = page.getViewport({ scale: 1 });
  const placements = isTagged ? readStructure(await page.getStructTree()) : new Map<string, Placement>();
  const content = await page.getTextContent({ includeMarkedContent: isTagged });
  const runs: Run[] = [];
  const artifacts: Run[] = [];
  /** Open marked content: its id, and whether it is an artifact. */
  const open: { id: string | undefined; isArtifact: boolean }[] = [];
  for (const item of content.items) {
    if (!("str" in item)) {
      if (item.type === "endMarkedContent") open.pop();
      else
        open.push({
          id: item.id || open.at(-1)?.id,
          isArtifact: (item as { tag?: string }).tag === "Artifact" || isInArtifact(open),
        });
      continue;
    }
    const run = toRun(item as TextItem, viewport.transform as number[]);
    if (run === undefined) continue;
    const id = open.at(-1)?.id;
    if (id !== undefined) run.tag = placements.get(id);
    (isInArtifact(open) ? artifacts : runs).push(run);
  }
  const [width = 0, height = 0] = [viewport.width, viewport.height];
  // Some programs tag all text as an artifact.
  const kept = withoutDoubles(charactersOf(artifacts) > charactersOf(runs) * 3 ? [...runs, ...artifacts] : runs);
  const isReadable = unreadableShare(kept.map(({ text }) => text).join("")) < unreadablePageShare;
  const cleaned = isReadable ? kept.map((run) => ({ ...run, text: cleanText(run.text) })) : [];
  return { page: page.pageNumber, width, height, runs: cleaned.filter(({ text }) => text.trim() !== "") };
}

function isInArtifact(open: readonly { isArtifact: boolean }[]): boolean {
  return open.at(-1)?.isArtifact ?? false;
}

function charactersOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.trim().length, 0);
}

/** A run in the coordinates of the displayed page. Undefined for blanks and for slanted text, which is a watermark. */
function toRun(item: TextItem, view: readonly number[]): Run | undefined {
  if (item.str.trim() === "") return undefined;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = view;
  const direction = Math.atan2(vb * a + vd * b, va * a + vc * b);
  const quarters = direction / (Math.PI / 2);
  if (Math.abs(quarters - Math.round(quarters)) > 0.05) return undefined;
  const size = Math.hypot(c, d) || item.height || 10;
  return {
    text: item.str,
    x: va * e + vc * f + ve,
    y: vb * e + vd * f + vf,
    width: item.width,
    size,
    font: item.fontName,
    tag: undefined,
  };
}

/** Removes runs that are drawn twice at one place, as some programs make letters bold or give them a shadow. */
function withoutDoubles(runs: readonly Run[]): Run[] {
  const seen = new Map<string, Run[]>();
  return runs.filter((run) => {
    const same = seen.get(run.text) ?? [];
    const reach = run.size * 0.2;
    if (same.some(({ x, y }) => Math.abs(x - run.x) < reach && Math.abs(y - run.y) < reach)) return false;
    if (same.length < 50) seen.set(run.text, [...same, run]);
    return true;
  });
}
