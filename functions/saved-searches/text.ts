import type { SavedSearchEntry } from "../../shared/database/rpc.ts";

/** Characters that XML 1.0 and iCalendar cannot have: controls but tab and line feed, lone surrogates, and two that are no characters. */
const unreadable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text without the characters that XML and iCalendar cannot have. */
export function readableText(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(unreadable, "");
}

/** Lines of an entry about a record: funder, deadline, and the beginning of its description. */
export function entryLines({ funder_name, deadline_date, description }: SavedSearchEntry): string[] {
  return [
    ...(funder_name === null ? [] : [funder_name]),
    ...(deadline_date === null ? [] : [`Deadline: ${deadline_date}`]),
    ...(description === null || description === "" ? [] : [description]),
  ];
}
