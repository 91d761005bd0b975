/** The input cannot be read at all. The message is a predicate, which follows the file's name: "is empty". */
export class InputError extends Error {}

/** The requested mapping does not fit the fields or the file. The message says what would. */
export class MappingError extends Error {}

/** A value that a field cannot take. The message is about the value; the field reader adds the field's name. */
export class ValueError extends Error {}

/** A date in a spelling that is not known, or one of several. It is no mistake of the publisher's, as a day that does not exist is. */
export class UnreadableDate extends ValueError {}

/** A text that names no day: words, a year, a month as a deadline. Its field stays empty, unless the record needs it. */
export class NoDay extends UnreadableDate {}

/** A date that programs write where they have none, such as 1900-01-01. */
export class PlaceholderDate extends NoDay {}

/** A row that cannot become a record. The message is the reason, for the reject file. */
export class RejectedRow extends Error {}

/** Quotes a value for an error message: as JSON, cut at 60 characters. */
export function quoteValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}
