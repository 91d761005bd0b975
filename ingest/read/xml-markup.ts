/** A piece of markup: a tag with its name as written, or what is passed over. Its end is behind its last character. */
export type Markup =
  | { kind: "start"; name: string; isEmpty: boolean; start: number; end: number }
  | { kind: "end"; name: string; start: number; end: number }
  | { kind: "other" | "doctype"; start: number; end: number };

/** Markup that is not whole yet. `searchedTo` is how far it was searched, so that it is done once. */
export interface Unfinished {
  kind: "unfinished";
  start: number;
  searchedTo: number;
}

/** Comments, sections of characters and instructions: nothing within them is markup. */
const sections: readonly [opening: string, closing: string][] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];
const longestOpening = 9;

/**
 * The next markup of a text from a place on, undefined where there is none. A `<` that begins none is text, and so is
 * a tag that has no end before the next `<`: publishers write both.
 *
 * @param searchedTo how far the markup at `from` was searched in a shorter text.
 */
export function nextMarkup(text: string, from: number, searchedTo = from): Markup | Unfinished | undefined {
  for (let start = text.indexOf("<", from); start !== -1; start = text.indexOf("<", start + 1)) {
    const found = markupAt(text, start, start === from ? searchedTo : start);
    if (found !== undefined) return found;
  }
  return undefined;
}

function markupAt(text: string, start: number, searchedTo: number): Markup | Unfinished | undefined {
  const section = sections.find(([opening]) => text.startsWith(opening, start));
  if (section !== undefined) {
    const [opening, closing] = section;
    const from = Math.max(start + opening.length, searchedTo);
    const end = text.indexOf(closing, from);
    if (end !== -1) return { kind: "other", start, end: end + closing.length };
    // Its closing may have begun already.
    return { kind: "unfinished", start, searchedTo: Math.max(from, text.length - closing.length + 1) };
  }
  const beginning = text.slice(start, start + longestOpening);
  if (/^<!doctype$/i.test(beginning)) return { kind: "doctype", start, end: start + longestOpening };
  if (beginning.startsWith("<!")) {
    return beginning.length < longestOpening && !beginning.includes(">")
      ? { kind: "unfinished", start, searchedTo: start }
      : undefined;
  }
  return tagAt(text, start, searchedTo);
}

const nameCharacters = /[^\s<>/"'=&]+/y;

function tagAt(text: string, start: number, searchedTo: number): Markup | Unfinished | undefined {
  const isEnd = text[start + 1] === "/";
  const nameStart = start + (isEnd ? 2 : 1);
  if (nameStart >= text.length) return { kind: "unfinished", start, searchedTo: start };
  nameCharacters.lastIndex = nameStart;
  const name = nameCharacters.exec(text)?.[0];
  if (name === undefined) return undefined;
  const { end, isWhole } = endOfTag(text, Math.max(nameStart + 1, searchedTo)) ?? {};
  if (end === undefined) return undefined;
  if (!isWhole) return { kind: "unfinished", start, searchedTo: end };
  return isEnd
    ? { kind: "end", name, start, end }
    : { kind: "start", name, isEmpty: text[end - 2] === "/", start, end };
}

/**
 * Where a tag ends. Values in quotes may have a `>`; a `<` is allowed nowhere in a tag, so one means that it has no end.
 * Not whole: it may end in what follows, and is searched up to there, which is not within quotes.
 */
function endOfTag(text: string, from: number): { end: number; isWhole: boolean } | undefined {
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
