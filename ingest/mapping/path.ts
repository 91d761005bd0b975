/**
 * The values that a column's name leads to in a row: the member of that name, else what lies along
 * its dots (`agency.name`). A step into a list goes into each of its items, or into one by number.
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

/** The paths in a row, for suggesting one: its members' names, and those of objects in it. */
export function pathsIn(row: Record<string, unknown>, depth = 3): string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    const inner = Array.isArray(value) ? value[0] : value;
    return isObject(inner) && depth > 1
      ? [name, ...pathsIn(inner, depth - 1).map((path) => `${name}.${path}`)]
      : [name];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasMember(value: unknown, name: string): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, name);
}
