/** A piece of markup: a tag with its name as written, or markup to skip. `end` is the index after its last character. */
export type Markup =
  | { kind: "start"; name: string; isEmpty: boolean; start: number; end: number }
  | { kind: "end"; name: string; start: number; end: number }
  | { kind: "other" | "doctype"; start: number; end: number };

/** Markup that is not complete yet. `searchedTo` is the index up to which it was searched, so that this is done once. */
export interface Unfinished {
  kind: "unfinished";
  start: number;
  searchedTo: number;
  /** Opening of the comment, CDATA section or processing instruction that it is, if it is one: they contain no markup. */
  section?: string;
}

/** Comments, CDATA sections and processing instructions: they contain no markup. */
const sections: readonly [opening: string, closing: string][] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];
const longestOpening = 9;

/**
 * Finds the next markup of a text from an index on. Undefined when there is none. A `<` that begins no markup is text; so
 * is a tag without an end before the next `<`. Publishers write both.
 *
 * @param searchedTo index up to which the markup at `from` was searched in a shorter text.
 * @param unclosed openings of sections that nothing closes: they are text.
 */
export function findMarkup(
  text: string,
  from: number,
  searchedTo: number,
  unclosed: ReadonlySet<string>,
): Markup | Unfinished | undefined {
  for (let start = text.indexOf("<", from); start !== -1; start = text.indexOf("<", start + 1)) {
    const found = readMarkup(text, start, start === from ? searchedTo : start, unclosed);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readMarkup(
  text: string,
  start: number,
  searchedTo: number,
  unclosed: ReadonlySet<string>,
): Markup | Unfinished | undefined {
  const section = sections.find(([opening]) => text.startsWith(opening, start) && !unclosed.has(opening));
  if (section !== undefined) {
    const [opening, closing] = section;
    const from = Math.max(start + opening.length, searchedTo);
    const end = text.indexOf(closing, from);
    if (end !== -1) return { kind: "other", start, end: end + closing.length };
    // The closing may be cut in the middle.
    return {
      kind: "unfinished",
      start,
      searchedTo: Math.max(from, text.length - closing.length + 1),
      section: opening,
    };
  }
  const beginning = text.slice(start, start + longestOpening);
  if (/^<!doctype$/i.test(beginning)) return { kind: "doctype", start, end: start + longestOpening };
  if (beginning.startsWith("<!")) {
    return beginning.length < longestOpening && !beginning.includes(">")
      ? { kind: "unfinished", start, searchedTo: start }
      : undefined;
  }
  return readTag(text, start, searchedTo);
}

const nameCharacters = /[^\s<>/"'=&]+/y;

function readTag(text: string, start: number, searchedTo: number): Markup | Unfinished | undefined {
  const isEnd = text[start + 1] === "/";
  const nameStart = start + (isEnd ? 2 : 1);
  if (nameStart >= text.length) return { kind: "unfinished", start, searchedTo: start };
  nameCharacters.lastIndex = nameStart;
  const name = nameCharacters.exec(text)?.[0];
  if (name === undefined) return undefined;
  const { end, isWhole } = findTagEnd(text, Math.max(nameStart + 1, searchedTo)) ?? {};
  if (end === undefined) return undefined;
  if (!isWhole) return { kind: "unfinished", start, searchedTo: end };
  return isEnd
    ? { kind: "end", name, start, end }
    : { kind: "start", name, isEmpty: text[end - 2] === "/", start, end };
}

/**
 * Finds the end of a tag. Values in quotes may contain `>`. No tag may contain `<`, so the tag has no end if there is one.
 * `isWhole` is false if the tag may end in text that follows; `end` is then the index up to which it was searched,
 * outside of quotes.
 */
function findTagEnd(text: string, from: number): { end: number; isWhole: boolean } | undefined {
  const special = /["'<>]/g;
  for (special.lastIndex = from; ; ) {
    const match = special.exec(text);
    if (match === null) return { end: text.length, isWhole: false };
    if (match[0] === "<") return undefined;
    if (match[0] === ">") return { end: match.index + 1, isWhole: true };
    const close = text.indexOf(match[0], match.index + 1);
    const value = text.slice(match.index, close === -1 ? text.length : close);
    if (value.includes("<")) return undefined;
    if (close === -1) return { end: match.index, isWhole: false };
    special.lastIndex = close + 1;
  }
}
