/**
 * Records as CSV (RFC 4180): UTF-8, CRLF, a list's items separated by `; `, null as nothing. Text that a spreadsheet
 * would run as a formula has an apostrophe before it.
 *
 * @param records pages of them, one after the other.
 * @yields the header line with the first page's lines, then each page's lines.
 */
export async function* csvOf(
  columns: readonly string[],
  records: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  // Only those who ask for CSV wait for it. The build for browsers, since the other needs Node.
  const { stringify } = await import("csv-stringify/browser/esm/sync");
  let header = true;
  for await (const page of records) {
    yield stringify(page.map(flattened), {
      header,
      columns: [...columns],
      record_delimiter: "\r\n",
      escape_formulas: true,
    });
    header = false;
  }
}

function flattened(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Array.isArray(value) ? value.join("; ") : value]),
  );
}
