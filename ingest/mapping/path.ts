/**
 * Returns the values of a row at a path: the member with the path as its name, else the values along its dots
 * (`agency.name`). A step into a list enters each of its items, or one by its index.
 */
export function valuesAt(row: unknown, path: string): unknown[] {
  if (hasMember(row, path)) return [row[path]];
  if (!path.includes(".")) return [];
  return path.split(".").reduce<unknown[]>((values, step) => values.flatMap((value) => stepInto(value, step)), [row]);
}

function stepInto(value: unknown, step: string): unknown[] {
  if (Array.isArray(value)) {
    return /^\d+$/.test(step)
      ? value.slice(Number(step), Number(step) + 1)
      : value.flatMap((item) => stepInto(item, step));
  }
  return hasMember(value, step) ? [value[step]] : [];
}

/**
 * Returns the path of the list of objects that a path leads through, without saying which of its items is meant. Undefined where it leads
 * through none.
 */
export function listOnPath(row: unknown, path: string): string | undefined {
  if (hasMember(row, path)) return undefined;
  const steps = path.split(".");
  let values: unknown[] = [row];
  for (const [index, step] of steps.entries()) {
    if (!/^\d+$/.test(step) && values.some(Array.isArray)) return steps.slice(0, index).join(".");
    values = values.flatMap((value) => stepInto(value, step));
  }
  return undefined;
}

/**
 * Lists the paths in a row: the names of its members and of members of objects in it.
 *
 * @param isThroughLists whether the members of a list's first item are among them. For suggestions they are not, since one value is wanted.
 */
export function listPaths(
  row: Record<string, unknown>,
  { depth = 3, isThroughLists = true }: { depth?: number; isThroughLists?: boolean } = {},
): string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    const inner = Array.isArray(value) && isThroughLists ? value[0] : value;
    return isObject(inner) && depth > 1
      ? [name, ...listPaths(inner, { depth: depth - 1, isThroughLists }).map((path) => `${name}.${path}`)]
      : [name];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasMember(value: unknown, name: string): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, name);
}
