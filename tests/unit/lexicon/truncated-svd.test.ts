import { expect, test } from "vitest";
import { type DenseMatrix, multiplyByGram, type SparseMatrix } from "../../../database/lexicon/matrix.ts";
import { computeScaledSingularVectors } from "../../../database/lexicon/truncated-svd.ts";

/** A sparse matrix out of rows of numbers. */
function sparse(rows: number[][]): SparseMatrix {
  const entries = rows.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ value, column }])));
  let used = 0;
  return {
    rows: rows.length,
    columns: rows[0]?.length ?? 0,
    offsets: Uint32Array.from([0, ...entries.map((row) => (used += row.length))]),
    indices: Uint32Array.from(entries.flat().map(({ column }) => column)),
    values: Float32Array.from(entries.flat().map(({ value }) => value)),
  };
}

const row = ({ values, columns }: DenseMatrix, index: number) =>
  values.subarray(index * columns, (index + 1) * columns);
const innerProduct = (one: Float64Array, other: Float64Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/** Forty records of twelve words, each a mixture of three themes: a matrix of rank three. */
const themes = [
  [1, 2, 0, 0, 3, 0, 0, 1, 0, 0, 0, 2],
  [0, 0, 2, 1, 0, 1, 0, 0, 3, 0, 0, 0],
  [0, 1, 0, 0, 0, 0, 2, 0, 0, 1, 4, 0],
];
const mixtures = Array.from({ length: 40 }, (_, record) => [record % 3, (record * 7) % 5, (record * 11) % 4]);
const records = mixtures.map((mixture) =>
  Array.from({ length: 12 }, (_, word) =>
    mixture.reduce((sum, share, theme) => sum + share * (themes[theme]?.[word] ?? 0), 0),
  ),
);

/** Inner products of the words' rows: V Σ Vᵀ, whose square is AᵀA. */
const products = (vectors: DenseMatrix) =>
  Array.from({ length: 12 }, (_, one) =>
    Array.from({ length: 12 }, (_, other) => innerProduct(row(vectors, one), row(vectors, other))),
  );
const squared = (matrix: number[][], one: number, other: number) =>
  matrix.reduce((sum, _, index) => sum + (matrix[one]?.[index] ?? 0) * (matrix[index]?.[other] ?? 0), 0);
const columnProduct = (one: number, other: number) =>
  records.reduce((sum, record) => sum + (record[one] ?? 0) * (record[other] ?? 0), 0);

test("in as many dimensions as the matrix has, the vectors give the inner products of its columns", () => {
  const vectors = products(computeScaledSingularVectors(sparse(records), 3));
  for (let one = 0; one < 12; one++) {
    for (let other = 0; other < 12; other++) {
      expect(squared(vectors, one, other)).toBeCloseTo(columnProduct(one, other), 0);
    }
  }
});

test("the first dimension is the one that says most, and each is at a right angle to the others", () => {
  const vectors = computeScaledSingularVectors(sparse(records), 3);
  const column = (index: number) => Float64Array.from({ length: 12 }, (_, word) => row(vectors, word)[index] ?? 0);
  const [first, second, third] = [column(0), column(1), column(2)];
  const norms = [first, second, third].map((values) => innerProduct(values, values));
  expect(norms).toEqual([...norms].sort((one, other) => other - one));
  for (const [one, other] of [
    [first, second],
    [first, third],
    [second, third],
  ] as const) {
    expect(Math.abs(innerProduct(one, other)) / (norms[0] ?? 0)).toBeLessThan(1e-3);
  }
});

test("dimensions beyond the matrix's own add nothing", () => {
  const vectors = computeScaledSingularVectors(sparse(records), 8);
  expect(squared(products(vectors), 4, 4)).toBeCloseTo(columnProduct(4, 4), 0);
  for (const index of [3, 7]) expect(row(vectors, 4)[index]).toBe(0);
});

test("the same matrix gives the same coordinates, and tells how far it is", () => {
  const steps: string[] = [];
  const first = computeScaledSingularVectors(sparse(records), 3, (done, all) => steps.push(`${done}/${all}`));
  expect(computeScaledSingularVectors(sparse(records), 3)).toEqual(first);
  expect(steps).toEqual(Array.from({ length: 80 }, (_, index) => `${index + 1}/80`));
});

test("a vector is multiplied by a sparse matrix and its transpose as by dense ones", () => {
  const matrix = sparse([
    [1, 0, 2],
    [0, 3, 0],
  ]);
  const product = multiplyByGram(matrix, { rows: 3, columns: 1, values: Float64Array.from([1, 2, 3]) });
  expect([...product.values]).toEqual([7, 18, 14]);
});

/** A matrix of 400 records by 60 words with known singular values, each half of the one before: cosines, which are orthogonal. */
function withKnownValues() {
  const cosine = (index: number, position: number, length: number) =>
    Math.cos((Math.PI / length) * (position + 0.5) * (index + 1)) * Math.sqrt(2 / length);
  const values = Array.from({ length: 12 }, (_, index) => 100 / 2 ** index);
  const rows = Array.from({ length: 400 }, (_, record) =>
    Array.from({ length: 60 }, (_, word) =>
      values.reduce((sum, value, index) => sum + value * cosine(index, record, 400) * cosine(index, word, 60), 0),
    ),
  );
  return { values, rows, cosine };
}

test("the vectors are the singular vectors times the square roots of the values, down to a two-thousandth of the greatest", () => {
  const { values, rows, cosine } = withKnownValues();
  const vectors = computeScaledSingularVectors(sparse(rows), 12);
  for (let dimension = 0; dimension < 12; dimension++) {
    const found = Float64Array.from({ length: 60 }, (_, word) => row(vectors, word)[dimension] ?? 0);
    const expected = Float64Array.from({ length: 60 }, (_, word) => cosine(dimension, word, 60));
    const value = values[dimension] ?? 0;
    // Up to the sign, which nothing decides.
    expect(Math.abs(innerProduct(found, expected)) / Math.sqrt(value)).toBeCloseTo(1, 3);
    expect(innerProduct(found, found) / value).toBeCloseTo(1, 3);
  }
});
