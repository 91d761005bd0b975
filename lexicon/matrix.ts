/** Sparse matrix in compressed sparse row format. The entries of row r are `offsets[r]` to `offsets[r + 1]`. */
export interface SparseMatrix {
  rows: number;
  columns: number;
  offsets: Uint32Array;
  indices: Uint32Array;
  values: Float32Array;
}

/** Dense matrix in row-major order. */
export interface DenseMatrix {
  rows: number;
  columns: number;
  values: Float32Array;
}

/** Makes a matrix of zeros. */
export function makeZeros(rows: number, columns: number): DenseMatrix {
  return { rows, columns, values: new Float32Array(rows * columns) };
}

/** Multiplies `sparse` by `dense`. */
export function multiply(sparse: SparseMatrix, dense: DenseMatrix): DenseMatrix {
  const product = makeZeros(sparse.rows, dense.columns);
  forEachEntry(sparse, (row, column, value) => {
    addScaled(product, row, dense, column, value);
  });
  return product;
}

/** Multiplies the transpose of `sparse` by `dense`. */
export function multiplyTransposed(sparse: SparseMatrix, dense: DenseMatrix): DenseMatrix {
  const product = makeZeros(sparse.columns, dense.columns);
  forEachEntry(sparse, (row, column, value) => {
    addScaled(product, column, dense, row, value);
  });
  return product;
}

function forEachEntry(matrix: SparseMatrix, visit: (row: number, column: number, value: number) => void): void {
  const { rows, offsets, indices, values } = matrix;
  for (let row = 0; row < rows; row++) {
    const end = offsets[row + 1] as number;
    for (let entry = offsets[row] as number; entry < end; entry++) {
      visit(row, indices[entry] as number, values[entry] as number);
    }
  }
}

function addScaled(
  target: DenseMatrix,
  targetRow: number,
  source: DenseMatrix,
  sourceRow: number,
  factor: number,
): void {
  const width = target.columns;
  const to = targetRow * width;
  const from = sourceRow * width;
  for (let column = 0; column < width; column++) {
    target.values[to + column] =
      (target.values[to + column] as number) + factor * (source.values[from + column] as number);
  }
}
