/** Members that have a value. */
type Present<Value> = { [Name in keyof Value]?: NonNullable<Value[Name]> };

/** Leaves out members that are null or undefined. */
export function present<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null && member !== undefined),
  ) as Present<Value>;
}

/** An object that has a member; undefined for one without. */
export function nonEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
