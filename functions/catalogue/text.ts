/** Entities by name that publishers' texts have; others stay as they are. */
const named: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", ndash: "–", mdash: "—", bull: "•", hellip: "…" },
  ...{
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    middot: "·",
    sect: "§",
    reg: "®",
    trade: "™",
    copy: "©",
    deg: "°",
  },
};

/** Elements of texts that begin a new paragraph, and those that are only looks. Any other markup is shown as it is written. */
const blocks = /<\/?(?:p|div|ul|ol|li|h[1-6]|table|tbody|tr|blockquote|section)(?:\s[^<>]*)?\/?>/gi;
const lineBreak = /<br\s*\/?>/gi;
const looks = /<\/?(?:span|b|i|u|em|strong|a|font|sup|sub|td|th)(?:\s[^<>]*)?\/?>/gi;

/** A publisher's text as plain text: entities as their characters, markup of paragraphs as line breaks. What it returns is still to be escaped. */
export function plainText(text: string): string {
  const once = decodeEntities(text);
  // Twice: some publishers escape what is escaped.
  return decodeEntities(once.replaceAll(blocks, "\n\n").replaceAll(lineBreak, "\n").replaceAll(looks, ""));
}

/** A publisher's text in one line: titles, names. */
export function lineOf(text: string): string {
  return decodeEntities(text).replaceAll(/\s+/g, " ").trim();
}

/** Paragraphs of a publisher's text, in at most so many characters, and whether it was cut. */
export function paragraphsOf(text: string, maximum = 24_000): { paragraphs: string[]; isCut: boolean } {
  // What is cut away need not be read.
  const plain = plainText(text.slice(0, 4 * maximum));
  const end = plain.length <= maximum ? plain.length : plain.lastIndexOf(" ", maximum);
  const shown = plain.slice(0, end === -1 ? maximum : end);
  const paragraphs = shown
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
  return { paragraphs, isCut: shown.length < plain.length || text.length > 4 * maximum };
}

/** The beginning of a text, in one line that ends with a word. */
export function excerpt(text: string, maximum: number): string {
  const line = plainText(text.slice(0, 20 * maximum))
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= maximum ? line : `${line.slice(0, maximum).replace(/[\s.,;:]+\S*$/, "")}…`;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
    const isText = code === 9 || code === 10 || (code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff));
    return isText ? String.fromCodePoint(code) : whole;
  });
}
