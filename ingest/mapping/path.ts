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

/** Lists the paths in a row, for suggestions: the names of its members and of members of objects in it. */
export function listPaths(row: Record<string, unknown>, depth = 3): string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    const inner = Array.isArray(value) ? value[0] : value;
    return isObject(inner) && depth > 1
      ? [name, ...listPaths(inner, depth - 1).map((path) => `${name}.${path}`)]
      : [name];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasMember(value: unknown, name: string): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, name);
}
