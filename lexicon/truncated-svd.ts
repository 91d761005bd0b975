import { type DenseMatrix, makeZeros, multiply, multiplyTransposed, type SparseMatrix } from "./matrix.ts";
import { orthonormalize } from "./orthonormalize.ts";

/** Rounds of subspace iteration. After two, a third changes no ranking. */
const rounds = 2;

/**
 * Computes the coordinates of a matrix's columns in the space of its largest left singular vectors, by randomised
 * subspace iteration (Halko, Martinsson and Tropp, 2011, algorithm 4.4).
 *
 * With L an orthonormal basis of that space, they are the rows of AᵀL. Their inner products are those of the columns of
 * the best approximation of this rank (V Σ², in terms of the decomposition). The basis is not rotated onto the singular
 * vectors, since inner products do not depend on it.
 *
 * @returns a matrix of `matrix.columns` rows and `dimensions` columns. The same input gives the same coordinates.
 */
export function computeColumnCoordinates(
  matrix: SparseMatrix,
  dimensions: number,
  report: (done: number, all: number) => void = () => undefined,
  seed = 1,
): DenseMatrix {
  let columns = makeRandomMatrix(matrix.columns, dimensions, seed);
  for (let round = 0; round < rounds; round++) {
    if (round > 0) orthonormalize(columns);
    const left = multiply(matrix, columns);
    report(3 * round + 1, 3 * rounds);
    orthonormalize(left);
    report(3 * round + 2, 3 * rounds);
    columns = multiplyTransposed(matrix, left);
    report(3 * round + 3, 3 * rounds);
  }
  return columns;
}

/** Makes a matrix of normally distributed numbers from a seeded generator (xorshift32, Box-Muller). */
function makeRandomMatrix(rows: number, columns: number, seed: number): DenseMatrix {
  const matrix = makeZeros(rows, columns);
  let state = seed | 0 || 1;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4294967297;
  };
  for (let index = 0; index < matrix.values.length; index++) {
    matrix.values[index] = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  }
  return matrix;
}
