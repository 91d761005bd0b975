import { expect, test } from "vitest";
import { orthonormalize } from "../../../lexicon/orthonormalize.ts";

/** A matrix whose every entry is another, with the last column the sum of the first two. */
function matrixOf(rows: number, columns: number) {
  const values = Float32Array.from({ length: rows * columns }, (_, index) => Math.sin(index * index + 1));
  if (columns > 2) {
    for (let row = 0; row < rows; row++) {
      const start = row * columns;
      values[start + columns - 1] = (values[start] ?? 0) + (values[start + 1] ?? 0);
    }
  }
  return { rows, columns, values };
}

/** The same without tiles: sums over rows and over columns, one after the other. */
function orthonormalizePlainly({ rows, columns, values }: ReturnType<typeof matrixOf>): void {
  const value = (row: number, column: number) => values[row * columns + column] ?? 0;
  const sumOver = (count: number, start: number, term: (index: number) => number) => {
    let sum = start;
    for (let index = 0; index < count; index++) sum += term(index);
    return sum;
  };
  const factor: number[][] = [];
  const entry = (row: number, column: number) => factor[row]?.[column] ?? 0;
  const gram = (one: number, other: number) => sumOver(rows, 0, (row) => value(row, one) * value(row, other));
  const negligible = 1e-10 * Math.max(...Array.from({ length: columns }, (_, column) => gram(column, column)));
  for (let one = 0; one < columns; one++) {
    const line: number[] = [];
    factor.push(line);
    for (let other = 0; other <= one; other++) {
      const rest = sumOver(other, gram(one, other), (before) => -(line[before] ?? 0) * entry(other, before));
      const pivot = entry(other, other);
      if (one === other) line.push(rest > negligible ? Math.sqrt(rest) : 0);
      else line.push(pivot === 0 ? 0 : rest / pivot);
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const rest = sumOver(column, value(row, column), (before) => -value(row, before) * entry(column, before));
      const pivot = entry(column, column);
      values[row * columns + column] = pivot === 0 ? 0 : rest / pivot;
    }
  }
}

test.each([
  [3, 1],
  [40, 2],
  [33, 5],
  [70, 8],
  [100, 23],
])("%i rows of %i columns: the tiles change no bit", (rows, columns) => {
  const [tiled, plain] = [matrixOf(rows, columns), matrixOf(rows, columns)];
  orthonormalize(tiled);
  orthonormalizePlainly(plain);
  orthonormalizePlainly(plain);
  expect(tiled.values).toEqual(plain.values);
  expect(tiled.values.some((value) => value !== 0)).toBe(true);
});
