/** Set operations that Node 20 lacks. */

export function union<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): Set<Item> {
  return new Set([...one, ...other]);
}

export function intersection<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): Set<Item> {
  return new Set([...one].filter((item) => other.has(item)));
}

export function difference<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): Set<Item> {
  return new Set([...one].filter((item) => !other.has(item)));
}

export function isSubset<Item>(part: ReadonlySet<Item>, whole: ReadonlySet<Item>): boolean {
  return [...part].every((item) => whole.has(item));
}
