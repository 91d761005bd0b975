/** A record, as far as it is shown. */
export interface Shown {
  id: string;
  title?: string;
  name?: string;
  type?: string;
  status?: string;
  amount_min?: number | null;
  amount_max?: number | null;
  deadline_date?: string | null;
  project_end_date?: string | null;
  funder_name?: string;
  website?: string | null;
}

const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 1,
  notation: "compact",
});

/** A record in two lines: deadline, title and amounts; then whose it is, and its id. */
export function lineOf(record: Shown, width: number): string {
  const margin = " ".repeat(12);
  const day = record.deadline_date ?? record.project_end_date ?? "";
  const amount = amountOf(record);
  const title = record.title ?? record.name ?? "";
  const head = cut(title, Math.max(20, width - margin.length - (amount === "" ? 0 : amount.length + 2)));
  const what = [record.type, record.status, record.funder_name ?? record.website].filter(Boolean).join(", ");
  const below = cut([what, record.id].filter((part) => part !== "").join("  "), Math.max(60, width - margin.length));
  return `${day.padEnd(margin.length)}${head}${amount === "" ? "" : `  ${amount}`}\n${margin}${below}\n`;
}

function amountOf({ amount_min: least, amount_max: most }: Shown): string {
  const [from, to] = [least, most].map((amount) => (amount == null ? undefined : dollars.format(amount)));
  if (from === undefined || to === undefined) return from ?? to ?? "";
  return from === to ? to : `${from} to ${to}`;
}

/** Text that others wrote, in one line, as long as there is room. Control characters could move a terminal's cursor. */
export function cut(text: string, width: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  const letters = [...plain];
  return letters.length <= width
    ? plain
    : `${letters
        .slice(0, width - 1)
        .join("")
        .trimEnd()}…`;
}

/** A record whole, a field a line. */
export function fieldsOf(record: Record<string, unknown>): string {
  const all = Object.entries(record).flatMap(([name, value]) =>
    name === "details" && typeof value === "object" && value !== null
      ? Object.entries(value)
      : [[name, value] as const],
  );
  const known = all.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}\n`).join("");
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.replace(/[^\P{C}\n\t]/gu, "").replaceAll("\n", "\n    ");
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.map(textOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
