/**
 * `=`, `+`, `-` and `@`, and the characters that Unicode's compatibility forms (NFKC) make one of them: a spreadsheet that
 * normalizes what it reads runs those as formulas too.
 */
const signs =
  "=+\\-@\\u207a\\u208a\\u207c\\u208c\\u2a75\\u2a76\\ufb29\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20";

/** White space, control characters and characters without a shape: programs drop them from the start of a cell. */
const unseen =
  "\\x00-\\x20\\x7f-\\xa0\\xad\\u061c\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff";

/** Text that a spreadsheet might run, and such text with apostrophes before it, so that the guard can be told from these. */
const runnable = new RegExp(`^'*(?:[\\t\\r\\n]|[${unseen}]*[${signs}])`);

/**
 * Puts an apostrophe before text that a spreadsheet might run as a formula (CWE-1236, OWASP "CSV Injection"). Reversible:
 * docs/api.md tells readers when to drop it.
 */
export function guardFormula(text: string): string {
  return runnable.test(text) ? `'${text}` : text;
}
