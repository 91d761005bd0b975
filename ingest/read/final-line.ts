/**
 * Rows that end where their file ends, without a line break behind them. Many files are written so; but where a
 * source's files had one before, the file was cut. Kept beside the rows, which are what the file says.
 */
const rows = new WeakMap<object, { isDoubtful: boolean }>();

/**
 * Marks a row as its file's last, without a line break behind it.
 *
 * @param isDoubtful whether its last value may be cut: a CSV value has no end of its own, a JSON object has.
 */
export function markUnterminated<Row extends object>(row: Row, isDoubtful: boolean): Row {
  rows.set(row, { isDoubtful });
  return row;
}

/** What is known of a row without a line break behind it; undefined for every other row. */
export function unterminated(row: object): { isDoubtful: boolean } | undefined {
  return rows.get(row);
}

/** The new row, marked as the old one is. */
export function markedLike<Row extends object>(old: object, row: Row): Row {
  const mark = rows.get(old);
  return mark === undefined ? row : markUnterminated(row, mark.isDoubtful);
}
