/** Numbers in a vector: what the database's columns hold. */
export const dimensions = 384;

export type Vector = readonly number[];

/** The vector of length 1 in the same direction, or undefined for the null vector. */
export function normalized(vector: Vector): Vector | undefined {
  const length = Math.hypot(...vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}

/** A vector as pgvector reads it, with more digits than half precision tells apart. */
export function vectorText(vector: Vector): string {
  return `[${vector.map((value) => value.toPrecision(5)).join(",")}]`;
}
