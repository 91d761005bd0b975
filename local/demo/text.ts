/** Values for the `{placeholders}` of a template. */
export type Blanks = Readonly<Record<string, string>>;

/**
 * The template with each `{name}` replaced. `{Name}` gives the value of `name` with a capital first
 * letter, for the start of a sentence. Throws on a name that has no value.
 */
export function fill(template: string, blanks: Blanks): string {
  if (!template.includes("{")) return template;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = blanks[name];
    if (value !== undefined) return value;
    const lowered = blanks[name.charAt(0).toLowerCase() + name.slice(1)];
    if (lowered === undefined) throw new Error(`no words for {${name}} in "${template}"`);
    return capitalize(lowered);
  });
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * "a", "a and b", "a, b, and c". Items that are lists themselves get stronger separators, so that
 * a reader can tell where one ends: "a and b as well as c", "a, b, and c; d; and e".
 */
export function series(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  if (items.length < 2) return last;
  if (items.length === 2) {
    const compound = items.some((item) => item.includes(" and "));
    return `${items[0]} ${compound ? "as well as" : "and"} ${last}`;
  }
  const separator = items.some((item) => item.includes(",")) ? ";" : ",";
  return `${items.slice(0, -1).join(`${separator} `)}${separator} and ${last}`;
}

/** Number of words in a text. */
export function wordCount(text: string): number {
  return text.split(" ").length;
}

/** "$7,500", "$250,000", "$1.5 million". */
export function dollars(amount: number): string {
  if (amount >= 1_000_000 && amount % 50_000 === 0) return `$${amount / 1_000_000} million`;
  return `$${thousands(amount)}`;
}

/** "1,250,000". Ten times as fast as `toLocaleString`, which a million records would notice. */
export function thousands(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Lower-case words joined with hyphens, for host names and URL paths. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(".", "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
