import { expect, test } from "vitest";
import { makeZeros, multiplyByGram } from "../../../database/lexicon/matrix.ts";
import { orthonormalize, orthonormalizeImage } from "../../../database/lexicon/orthonormalize.ts";

/** A matrix whose every entry is another, with the last column the sum of the first two. */
function matrixOf(rows: number, columns: number) {
  const values = Float64Array.from({ length: rows * columns }, (_, index) => Math.sin(index * index + 1));
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
  const negligible = 1e-13 * Math.max(...Array.from({ length: columns }, (_, column) => gram(column, column)));
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

test("an image is orthonormalized by AᵀA alone, as it would be by A", () => {
  // Records of 20 words, of which the last has no word.
  const rows = Array.from({ length: 30 }, (_, row) =>
    Array.from({ length: 20 }, (_, column) => ((row * column + 3 * row) % 7 === 0 && row < 29 ? row + 1 : 0)),
  );
  const entries = rows.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ value, column }])));
  const basis = matrixOf(20, 5);
  const product = multiplyByGram(
    {
      rows: 30,
      columns: 20,
      offsets: Uint32Array.from({ length: 31 }, (_, row) => entries.slice(0, row).flat().length),
      indices: Uint32Array.from(entries.flat().map(({ column }) => column)),
      values: Float32Array.from(entries.flat().map(({ value }) => value)),
    },
    basis,
  );
  orthonormalizeImage(product, basis);
  // The long way: A times the basis, orthonormalized, then Aᵀ times that.
  const image = makeZeros(30, 5);
  rows.forEach((row, record) => {
    for (let column = 0; column < 5; column++) {
      image.values[record * 5 + column] = row.reduce(
        (sum, value, word) => sum + value * (basis.values[word * 5 + column] ?? 0),
        0,
      );
    }
  });
  orthonormalize(image);
  for (let word = 0; word < 20; word++) {
    for (let column = 0; column < 5; column++) {
      const expected = rows.reduce(
        (sum, row, record) => sum + (row[word] ?? 0) * (image.values[record * 5 + column] ?? 0),
        0,
      );
      expect(product.values[word * 5 + column]).toBeCloseTo(expected, 6);
    }
  }
  expect(product.values.some((value) => Math.abs(value) > 1)).toBe(true);
});
