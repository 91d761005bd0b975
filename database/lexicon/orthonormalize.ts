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

/** Pivots below this share of the greatest are rounding errors: their columns depend on others. */
const negligibleShare = 1e-13;

/** Columns are padded with zeros to a multiple of the tiles' width. */
const tileColumns = 4;
const gramRows = 32;

/** A square matrix of `width` rows, of which only the lower triangle is meant. */
interface LowerTriangle {
  width: number;
  values: Float64Array;
}

function orthonormalizeOnce(matrix: DenseMatrix): void {
  solve(matrix, factorize(computeInnerProducts(matrix, matrix)));
}

/**
 * Multiplies `product`, which is AᵀA times `basis`, from the right, so that it becomes Aᵀ times an orthonormal basis of the span of A times
 * `basis`, which is never computed: it has as many rows as A. Dependent columns become zero columns.
 */
export function orthonormalizeImage(product: DenseMatrix, basis: DenseMatrix): void {
  solve(product, factorize(computeInnerProducts(product, basis)));
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

/** Computes the inner products of the columns of `one` with those of `other` of the same or a lower index. */
function computeInnerProducts(one: DenseMatrix, other: DenseMatrix): LowerTriangle {
  const width = Math.ceil(one.columns / tileColumns) * tileColumns;
  const values = new Float64Array(width * width);
  const left = new Float64Array(width * gramRows);
  const right = one === other ? left : new Float64Array(width * gramRows);
  for (let first = 0; first < one.rows; first += gramRows) {
    readBlock(one, first, left, gramRows);
    if (right !== left) readBlock(other, first, right, gramRows);
    for (let row = 0; row < width; row += 2) {
      for (let column = 0; column <= row + 1; column += tileColumns) {
        addInnerProducts(values, left, right, width, row, column);
      }
    }
  }
  return { width, values };
}

/** Adds a block's inner products of the columns `one` and the next of `lefts` with `other` and the next three of `rights`. */
function addInnerProducts(
  product: Float64Array,
  lefts: Float64Array,
  rights: Float64Array,
  width: number,
  one: number,
  other: number,
): void {
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
    const a = lefts[left + row] as number;
    const b = lefts[left + gramRows + row] as number;
    const value0 = rights[right + row] as number;
    const value1 = rights[right + gramRows + row] as number;
    const value2 = rights[right + 2 * gramRows + row] as number;
    const value3 = rights[right + 3 * gramRows + row] as number;
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
  const { width, values } = computeInnerProducts(matrix, matrix);
  return Array.from({ length: matrix.columns }, (_, row) =>
    Float64Array.from(
      { length: matrix.columns },
      (_, column) => values[Math.max(row, column) * width + Math.min(row, column)] as number,
    ),
  );
}

/** Replaces each row by the row times the inverse of the transposed factor: forward substitution. */
function solve(matrix: DenseMatrix, factor: LowerTriangle): void {
  const { rows, columns, values } = matrix;
  const block = new Float64Array(columns * solvedRows);
  for (let first = 0; first < rows; first += solvedRows) {
    readBlock(matrix, first, block, solvedRows);
    for (let column = 0; column < columns; column++) solveColumn(block, factor.values, column, column * factor.width);
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
  block[start] = sum0 / pivot;
  block[start + 1] = sum1 / pivot;
  block[start + 2] = sum2 / pivot;
  block[start + 3] = sum3 / pivot;
}

/** Computes the Cholesky factor L: L times its transpose is the matrix. A zero pivot marks a dependent column. */
function factorize({ width: size, values: matrix }: LowerTriangle): LowerTriangle {
  const factor = new Float64Array(size * size);
  let largest = 0;
  for (let index = 0; index < size; index++) largest = Math.max(largest, matrix[index * size + index] as number);
  const negligible = largest * negligibleShare;
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
  return { width: size, values: factor };
}
