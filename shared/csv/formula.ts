/**
 * `=`, `+`, `-` and `@`, and the characters that Unicode normalization (NFKC) turns into them: a spreadsheet that normalizes
 * its input runs those as formulas too.
 */
const signs =
  "=+\\-@\\u207a\\u208a\\u207c\\u208c\\u2a75\\u2a76\\ufb29\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20";

/** White space, control characters and invisible characters. Programs drop them from the start of a cell. */
const unseen =
  "\\x00-\\x20\\x7f-\\xa0\\xad\\u061c\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff";

/** Text that a spreadsheet might run. Leading apostrophes count as well, so that the guard's own can be told from them. */
const runnable = new RegExp(`^'*(?:[\\t\\r\\n]|[${unseen}]*[${signs}])`);

/**
 * Puts an apostrophe before text that a spreadsheet might run as a formula (CWE-1236, OWASP "CSV Injection"). Reversible:
 * docs/csv.md tells readers when to drop it.
 */
export function guardFormula(text: string): string {
  return runnable.test(text) ? `'${text}` : text;
}
