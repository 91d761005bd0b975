import type { DenseMatrix } from "./matrix.ts";

/**
 * Replaces the columns of `matrix` by an orthonormal basis of what they span, by Cholesky's
 * factorisation of the Gram matrix: cheap for tall matrices, since it reads the rows in order.
 * Directions that the columns do not have, for example because they are dependent, come out as
 * zero columns.
 */
export function orthonormalize(matrix: DenseMatrix): void {
  // Once is inaccurate where columns are nearly dependent; twice is as good as Householder's method.
  orthonormalizeOnce(matrix);
  orthonormalizeOnce(matrix);
}

function orthonormalizeOnce(matrix: DenseMatrix): void {
  const { rows, columns, values } = matrix;
  const factor = cholesky(gram(matrix), columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    // Forward substitution: row := row * inverse(transpose(factor)).
    for (let column = 0; column < columns; column++) {
      const pivot = factor[column * columns + column] as number;
      let sum = values[start + column] as number;
      for (let before = 0; before < column; before++) {
        sum -= (values[start + before] as number) * (factor[column * columns + before] as number);
      }
      values[start + column] = pivot === 0 ? 0 : sum / pivot;
    }
  }
}

/** The lower triangle of the columns' inner products. */
function gram({ rows, columns, values }: DenseMatrix): Float64Array {
  const product = new Float64Array(columns * columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    for (let one = 0; one < columns; one++) {
      const factor = values[start + one] as number;
      if (factor === 0) continue;
      const place = one * columns;
      for (let other = 0; other <= one; other++) {
        product[place + other] = (product[place + other] as number) + factor * (values[start + other] as number);
      }
    }
  }
  return product;
}

/** The lower triangular L with L times its transpose equal to the Gram matrix. A zero pivot marks a dependent column. */
function cholesky(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  let largest = 0;
  for (let place = 0; place < size; place++) largest = Math.max(largest, matrix[place * size + place] as number);
  // Float32 columns carry about seven digits; what is smaller than that is rounding, not direction.
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
