import fc from "fast-check";

/** True in `npm test`, which saves minutes. Without the variable, properties run in full. */
const isBrief = process.env.PROPERTIES === "brief";
/** Divisor of the number of runs in brief. */
const part = 10;
/** Minimum number of runs of a property. */
const fewest = 4;

/** The seed that a failed property printed: `PROPERTY_SEED=... npm run test:properties`, or `test:long`. */
const seed = process.env.PROPERTY_SEED;
if (seed !== undefined && seed !== "") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

/** Returns the number of runs of a property, or the size of its data: `all`, or a tenth of that in `npm test`. */
export function runs(all: number): number {
  return isBrief ? Math.min(all, Math.max(fewest, Math.ceil(all / part))) : all;
}

/**
 * Returns the values to try in one row of a table: all, or in `npm test` every tenth, starting at the row's index. So each value is
 * tried in some row, and each row with some value.
 */
export function share<Value>(values: readonly Value[], row: number): readonly Value[] {
  const parts = Math.min(part, values.length);
  return isBrief ? values.filter((_, index) => index % parts === row % parts) : values;
}
