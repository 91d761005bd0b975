/** Whether Postgres can store a text: it has no NUL character and no lone surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
export const notStorable = "must be well-formed Unicode text without NUL characters";

/** Replaces NUL characters and lone surrogates, which JSON can carry and Postgres cannot store. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{FFFD}");
}

/** Whether an ISO 8601 date is after year 0, which JavaScript has and Postgres does not. */
export function isAfterYearZero(date: string): boolean {
  return !date.startsWith("0000");
}
