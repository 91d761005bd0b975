import fc from "fast-check";

/** Every character that some reader ends a line at: LF, VT, FF, CR, FS, GS, RS, NEL, LS, PS; and CRLF. */
export const lineBreaks = ["\n", "\v", "\f", "\r", "\r\n", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"];

/** The characters that begin a formula, as a keyboard has them and as Unicode repeats them. */
export const formulaSigns = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"];

/** Parts that readers of CSV, or spreadsheets, give a meaning. */
const parts = [
  ...lineBreaks,
  ...formulaSigns,
  ...[
    '"',
    '""',
    "'",
    "''",
    ",",
    ";",
    "; ",
    "|",
    "\t",
    " ",
    "\u00a0",
    "\u200b",
    "\u3000",
    "\ufeff",
    "\\",
    "\\.",
    "sep=",
  ],
  ...["word", "0", "-5", "é", "東京", "🏛", "=cmd|'/C calc'!A0", '=HYPERLINK("https://example.org","x")'],
];

/** Text of such parts, in which each stands first, last, next to any other, and alone. */
export function csvText({ nul = true } = {}): fc.Arbitrary<string> {
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...parts, ...(nul ? ["\0"] : [])) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: "grapheme", maxLength: 4 }).filter((text) => nul || !text.includes("\0")),
    },
  );
  return fc.array(part, { maxLength: 6 }).map((chosen) => chosen.join(""));
}
