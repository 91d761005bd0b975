import type { DenseMatrix } from "./matrix.ts";

/**
 * Replaces the columns of `matrix` by an orthonormal basis of their span, by Cholesky factorisation of the Gram matrix.
 * This is cheap for tall matrices, since it reads the rows in order. Dependent columns become zero columns.
 *
 * Processors add up several sums at once faster than one, of which each addition waits for the one before. So both loops
 * over the rows work on tiles. Each sum is added up in the order of the rows or columns all the same: the tiles change no bit
 * of the result.
 */
export function orthonormalize(matrix: DenseMatrix): void {
  // One pass is inaccurate for nearly dependent columns. Two are as accurate as Householder's method.
  orthonormalizeOnce(matrix);
  orthonormalizeOnce(matrix);
}

/** Columns are padded with zeros to a multiple of the tiles' width. */
const tileColumns = 4;
const gramRows = 32;

function orthonormalizeOnce(matrix: DenseMatrix): void {
  const width = Math.ceil(matrix.columns / tileColumns) * tileColumns;
  solve(matrix, factorize(computeGram(matrix, width), width), width);
}

/** Copies rows into a block, column by column. Rows beyond the matrix are zeros. */
function readBlock(
  { rows, columns, values }: DenseMatrix,
  first: number,
  block: Float64Array,
  blockRows: number,
): void {
  for (let row = 0; row < blockRows; row++) {
    const start = (first + row) * columns;
    const isRow = first + row < rows;
    for (let column = 0; column < columns; column++) {
      block[column * blockRows + row] = isRow ? (values[start + column] as number) : 0;
    }
  }
}

/** Computes the lower triangle of the columns' inner products, and a few above it. */
function computeGram(matrix: DenseMatrix, width: number): Float64Array {
  const product = new Float64Array(width * width);
  const block = new Float64Array(width * gramRows);
  for (let first = 0; first < matrix.rows; first += gramRows) {
    readBlock(matrix, first, block, gramRows);
    for (let one = 0; one < width; one += 2) {
      for (let other = 0; other <= one + 1; other += tileColumns) addInnerProducts(product, block, width, one, other);
    }
  }
  return product;
}

/** Adds a block's inner products of the columns `one` and the next with `other` and the next three. */
function addInnerProducts(product: Float64Array, block: Float64Array, width: number, one: number, other: number): void {
  const first = one * width + other;
  const second = first + width;
  let a0 = product[first] as number;
  let a1 = product[first + 1] as number;
  let a2 = product[first + 2] as number;
  let a3 = product[first + 3] as number;
  let b0 = product[second] as number;
  let b1 = product[second + 1] as number;
  let b2 = product[second + 2] as number;
  let b3 = product[second + 3] as number;
  const left = one * gramRows;
  const right = other * gramRows;
  for (let row = 0; row < gramRows; row++) {
    const a = block[left + row] as number;
    const b = block[left + gramRows + row] as number;
    const value0 = block[right + row] as number;
    const value1 = block[right + gramRows + row] as number;
    const value2 = block[right + 2 * gramRows + row] as number;
    const value3 = block[right + 3 * gramRows + row] as number;
    a0 += a * value0;
    a1 += a * value1;
    a2 += a * value2;
    a3 += a * value3;
    b0 += b * value0;
    b1 += b * value1;
    b2 += b * value2;
    b3 += b * value3;
  }
  product[first] = a0;
  product[first + 1] = a1;
  product[first + 2] = a2;
  product[first + 3] = a3;
  product[second] = b0;
  product[second + 1] = b1;
  product[second + 2] = b2;
  product[second + 3] = b3;
}

/** Computes the inner products of the columns of `matrix`: its Gram matrix, row by row. */
export function computeGramRows(matrix: DenseMatrix): Float64Array[] {
  const width = Math.ceil(matrix.columns / tileColumns) * tileColumns;
  const lower = computeGram(matrix, width);
  return Array.from({ length: matrix.columns }, (_, row) =>
    Float64Array.from(
      { length: matrix.columns },
      (_, column) => lower[Math.max(row, column) * width + Math.min(row, column)] as number,
    ),
  );
}

/** Replaces each row by the row times the inverse of the transposed factor: forward substitution. */
function solve(matrix: DenseMatrix, factor: Float64Array, width: number): void {
  const { rows, columns, values } = matrix;
  const block = new Float64Array(columns * solvedRows);
  for (let first = 0; first < rows; first += solvedRows) {
    readBlock(matrix, first, block, solvedRows);
    for (let column = 0; column < columns; column++) solveColumn(block, factor, column, column * width);
    for (let row = 0; row < solvedRows && first + row < rows; row++) {
      const start = (first + row) * columns;
      for (let column = 0; column < columns; column++) {
        values[start + column] = block[column * solvedRows + row] as number;
      }
    }
  }
}

const solvedRows = 4;

/** Solves a column for all rows of a block. `factorRow` is where the factor's row begins. */
function solveColumn(block: Float64Array, factor: Float64Array, column: number, factorRow: number): void {
  const start = column * solvedRows;
  const pivot = factor[factorRow + column] as number;
  if (pivot === 0) {
    block.fill(0, start, start + solvedRows);
    return;
  }
  let sum0 = block[start] as number;
  let sum1 = block[start + 1] as number;
  let sum2 = block[start + 2] as number;
  let sum3 = block[start + 3] as number;
  for (let before = 0, entry = 0; before < column; before++, entry += solvedRows) {
    const weight = factor[factorRow + before] as number;
    sum0 -= (block[entry] as number) * weight;
    sum1 -= (block[entry + 1] as number) * weight;
    sum2 -= (block[entry + 2] as number) * weight;
    sum3 -= (block[entry + 3] as number) * weight;
  }
  // Rounded as the matrix stores them, since later columns are computed from the stored values.
  block[start] = Math.fround(sum0 / pivot);
  block[start + 1] = Math.fround(sum1 / pivot);
  block[start + 2] = Math.fround(sum2 / pivot);
  block[start + 3] = Math.fround(sum3 / pivot);
}

/** Computes the Cholesky factor L: L times its transpose is the Gram matrix. A zero pivot marks a dependent column. */
function factorize(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  let largest = 0;
  for (let index = 0; index < size; index++) largest = Math.max(largest, matrix[index * size + index] as number);
  // Float32 columns have about seven digits. Smaller values are rounding errors.
  const negligible = largest * 1e-10;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] as number;
      for (let before = 0; before < column; before++) {
        sum -= (factor[row * size + before] as number) * (factor[column * size + before] as number);
      }
      if (row === column) {
        factor[row * size + column] = sum > negligible ? Math.sqrt(sum) : 0;
      } else {
        const pivot = factor[column * size + column] as number;
        factor[row * size + column] = pivot === 0 ? 0 : sum / pivot;
      }
    }
  }
  return factor;
}
