import { type DenseMatrix, multiply, multiplyTransposed, type SparseMatrix, zeros } from "./matrix.ts";
import { orthonormalize } from "./orthonormalize.ts";

/** Rounds of subspace iteration. Two bring the subspace close enough that a third changes no ranking. */
const rounds = 2;

/**
 * An orthonormal basis of the space of the largest right singular vectors, by randomised subspace
 * iteration (Halko, Martinsson and Tropp, 2011, algorithm 4.4).
 *
 * The basis is not rotated onto the singular vectors themselves: inner products of projections do
 * not depend on it, and they are all that is used.
 *
 * @returns a matrix of `matrix.columns` rows and `dimensions` columns. The same input gives the same basis.
 */
export function rightSingularSpace(matrix: SparseMatrix, dimensions: number, seed = 1): DenseMatrix {
  let basis = randomMatrix(matrix.columns, dimensions, seed);
  for (let round = 0; round < rounds; round++) {
    const left = multiply(matrix, basis);
    orthonormalize(left);
    basis = multiplyTransposed(matrix, left);
    orthonormalize(basis);
  }
  return basis;
}

/** Normally distributed numbers from a seeded generator (xorshift32, Box-Muller). */
function randomMatrix(rows: number, columns: number, seed: number): DenseMatrix {
  const matrix = zeros(rows, columns);
  let state = seed | 0 || 1;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4294967297;
  };
  for (let place = 0; place < matrix.values.length; place++) {
    matrix.values[place] = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  }
  return matrix;
}
