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
  values: Float64Array;
}

/** Makes a matrix of zeros. */
export function makeZeros(rows: number, columns: number): DenseMatrix {
  return { rows, columns, values: new Float64Array(rows * columns) };
}

/**
 * Multiplies AᵀA by `dense`, where A is `sparse`. Each row of A is used twice at once, so there is no product with A itself, which would
 * have as many rows as A.
 *
 * @param report called with each row that is done.
 */
export function multiplyByGram(
  sparse: SparseMatrix,
  dense: DenseMatrix,
  report: (row: number) => void = () => undefined,
): DenseMatrix {
  const product = makeZeros(sparse.columns, dense.columns);
  const { offsets, indices, values } = sparse;
  const width = dense.columns;
  const rowProduct = new Float64Array(width);
  for (let row = 0; row < sparse.rows; row++) {
    const start = offsets[row] as number;
    const end = offsets[row + 1] as number;
    rowProduct.fill(0);
    for (let entry = start; entry < end; entry++) {
      addScaled(rowProduct, 0, dense.values, (indices[entry] as number) * width, values[entry] as number, width);
    }
    for (let entry = start; entry < end; entry++) {
      addScaled(product.values, (indices[entry] as number) * width, rowProduct, 0, values[entry] as number, width);
    }
    report(row);
  }
  return product;
}

/** Rows that {@link multiplyDense} multiplies at once: processors add up several sums faster than one. */
const blockRows = 4;

/** Multiplies `one` by `other`. */
export function multiplyDense(one: DenseMatrix, other: DenseMatrix): DenseMatrix {
  const product = makeZeros(one.rows, other.columns);
  const inner = one.columns;
  const columns = new Float64Array(inner * other.columns);
  for (let row = 0; row < inner; row++) {
    for (let column = 0; column < other.columns; column++) {
      columns[column * inner + row] = other.values[row * other.columns + column] as number;
    }
  }
  const block = new Float64Array(inner * blockRows);
  for (let first = 0; first < one.rows; first += blockRows) {
    const rows = Math.min(blockRows, one.rows - first);
    for (let row = 0; row < rows; row++) {
      for (let entry = 0; entry < inner; entry++) {
        block[entry * blockRows + row] = one.values[(first + row) * inner + entry] as number;
      }
    }
    for (let column = 0; column < other.columns; column++) {
      const sums = multiplyBlock(block, columns, column * inner, inner);
      for (let row = 0; row < rows; row++) product.values[(first + row) * other.columns + column] = sums[row] as number;
    }
  }
  return product;
}

/** Sums of {@link multiplyBlock}, which are read before the next call. */
const blockSums = new Float64Array(blockRows);

function multiplyBlock(block: Float64Array, columns: Float64Array, start: number, inner: number): Float64Array {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let entry = 0, at = 0; entry < inner; entry++, at += blockRows) {
    const factor = columns[start + entry] as number;
    sum0 += (block[at] as number) * factor;
    sum1 += (block[at + 1] as number) * factor;
    sum2 += (block[at + 2] as number) * factor;
    sum3 += (block[at + 3] as number) * factor;
  }
  blockSums[0] = sum0;
  blockSums[1] = sum1;
  blockSums[2] = sum2;
  blockSums[3] = sum3;
  return blockSums;
}

/** Adds `length` numbers of `source` from `from` on, each times `factor`, to those of `target` from `to` on. */
function addScaled(
  target: Float64Array,
  to: number,
  source: Float64Array,
  from: number,
  factor: number,
  length: number,
): void {
  for (let index = 0; index < length; index++) {
    target[to + index] = (target[to + index] as number) + factor * (source[from + index] as number);
  }
}
