const tab = 9;
const lineBreak = 10;

/**
 * Rows in Postgres' text format without some of their columns. (Tabs and line breaks in values are escaped, so each that is there ends a value.)
 *
 * @param isKept for each column of the rows, whether its values stay. One of them must.
 */
export async function* selectColumns(
  rows: AsyncIterable<Uint8Array>,
  isKept: readonly boolean[],
): AsyncGenerator<Uint8Array> {
  const first = isKept.indexOf(true);
  let column = 0;
  for await (const chunk of rows) {
    const selected = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte === lineBreak) column = 0;
      else if (byte === tab) column += 1;
      // A tab is written before the value that it precedes.
      const isWritten = byte === lineBreak || (isKept[column] === true && !(byte === tab && column === first));
      if (isWritten) selected[length++] = byte;
    }
    yield selected.subarray(0, length);
  }
}
