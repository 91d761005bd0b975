import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { type DenseMatrix, makeZeros, multiplyByGram, multiplyDense, type SparseMatrix } from "./matrix.ts";
import { computeGramRows, orthonormalize, orthonormalizeImage } from "./orthonormalize.ts";

/** Rounds of subspace iteration. After two, a third changes no ranking. */
const rounds = 2;

/**
 * Computes the largest right singular vectors of a matrix, each times the square root of its singular value (V √Σ), by
 * randomised subspace iteration (Halko, Martinsson and Tropp, 2011, algorithm 4.4).
 *
 * With L an orthonormal basis of the space of the left singular vectors, the eigenvectors of (AᵀL)ᵀ(AᵀL) rotate AᵀL onto V Σ,
 * and its eigenvalues are the squares of the singular values. The largest comes first, so the first columns are the best
 * approximation with that many. AᵀL is computed from AᵀA alone: L has a row for each row of the matrix, of which there are many more than
 * columns. That costs digits, so the numbers are doubles.
 *
 * @param report called with each row that is done, counted over all rounds.
 * @returns a matrix of `matrix.columns` rows and `dimensions` columns. The same input gives the same matrix.
 */
export function computeScaledSingularVectors(
  matrix: SparseMatrix,
  dimensions: number,
  report: (done: number, all: number) => void = () => undefined,
  seed = 1,
): DenseMatrix {
  let columns = makeRandomMatrix(matrix.columns, dimensions, seed);
  for (let round = 0; round < rounds; round++) {
    if (round > 0) orthonormalize(columns);
    const product = multiplyByGram(matrix, columns, (row) =>
      report(round * matrix.rows + row + 1, rounds * matrix.rows),
    );
    orthonormalizeImage(product, columns);
    columns = product;
  }
  return scaleSingularVectors(columns);
}

/** Singular values below this share of the largest are rounding errors: their vectors have no direction. */
const negligibleValue = 1e-5;

/** Rotates AᵀL onto the singular vectors, and divides V Σ by √Σ. */
function scaleSingularVectors(columns: DenseMatrix): DenseMatrix {
  const width = columns.columns;
  if (width === 0) return columns;
  const gram = new Matrix(width, width);
  computeGramRows(columns).forEach((row, index) => void gram.setRow(index, row));
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(gram, { assumeSymmetric: true });
  // The eigenvalues come in ascending order.
  const largest = Math.sqrt(Math.max(realEigenvalues.at(-1) ?? 0, 0));
  const rotation = makeZeros(width, width);
  for (let column = 0; column < width; column++) {
    const from = width - 1 - column;
    const value = Math.sqrt(Math.max(realEigenvalues[from] ?? 0, 0));
    if (value <= largest * negligibleValue) continue;
    for (let row = 0; row < width; row++) {
      rotation.values[row * width + column] = eigenvectorMatrix.get(row, from) / Math.sqrt(value);
    }
  }
  return multiplyDense(columns, rotation);
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
