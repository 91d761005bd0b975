/** Place of marked content in the tags of a PDF (ISO 32000-1, 14.8.4). */
export interface Placement {
  /** Level of the heading, or 0. */
  heading: number;
  /** Number of the table's row and cell within the page; undefined outside of tables. */
  row: number | undefined;
  cell: number | undefined;
  /** Number of the innermost list item within the page; undefined outside of lists. */
  item: number | undefined;
  /** Number of the innermost paragraph, heading or item within the page. */
  element: number;
}

const blockRoles = new Set(
  "Art BlockQuote Caption Div Document Form L LBody LI Note P Part Sect TBody TD TFoot TH THead TOC TOCI TR Table".split(
    " ",
  ),
);

interface StructNode {
  role?: string;
  type?: string;
  id?: string;
  children?: StructNode[];
}

const paragraphRoles = new Set(["P", "H", "H1", "H2", "H3", "H4", "H5", "H6", "LI", "LBody", "TD", "TH", "TOCI"]);

/** Places of a page's marked contents, by id. `tree` is what pdf.js makes of the tags: at most 40 levels deep. */
export function readStructure(tree: unknown): Map<string, Placement> {
  const places = new Map<string, Placement>();
  let count = 0;
  const visit = (node: StructNode, place: Placement) => {
    if (node.type === "content" && node.id !== undefined) places.set(node.id, place);
    const { role = "" } = node;
    const next = { ...place };
    if (paragraphRoles.has(role)) next.element = ++count;
    // Headings that contain whole sections are wrong tags: only what is directly in them is the heading.
    next.heading = headingLevel(role) ?? (blockRoles.has(role) ? 0 : place.heading);
    if (role === "LI") next.item = ++count;
    if (role === "TR") next.row = ++count;
    if ((role === "TD" || role === "TH") && next.row !== undefined) next.cell = ++count;
    for (const child of node.children ?? []) visit(child, next);
  };
  if (typeof tree === "object" && tree !== null)
    visit(tree as StructNode, { heading: 0, row: undefined, cell: undefined, item: undefined, element: 0 });
  return places;
}

function headingLevel(role: string): number | undefined {
  if (role === "Title") return 1;
  const [, digit] = /^H([1-6])$/.exec(role) ?? [];
  return digit === undefined ? (role === "H" ? 2 : undefined) : Number(digit);
}
