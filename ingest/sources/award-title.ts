import { isBlank, toLine } from "../fields/value.ts";

/** Maximum of a title, since an award's description may be a page long. */
const maxTitleCharacters = 200;

/** Title from an award's description: its beginning up to a word, at most 200 characters. Undefined where there is none. */
export function titleOfDescription(description: unknown): string | undefined {
  if (isBlank(description)) return undefined;
  const text = toLine(description);
  return text.length > maxTitleCharacters ? `${text.slice(0, maxTitleCharacters).replace(/\s+\S*$/, "")}...` : text;
}

/** Title of an award without a description: "Delivery order FA8650-0001 to EXAMPLE, INC.: Research and Development". */
export function composeAwardTitle(award: {
  type: string;
  number: unknown;
  recipient: unknown;
  purpose: unknown;
}): string {
  const part = (value: unknown, before: string) => (isBlank(value) ? "" : `${before}${toLine(value)}`);
  return `${award.type}${part(award.number, " ")}${part(award.recipient, " to ")}${part(award.purpose, ": ")}`;
}

/** "DELIVERY ORDER" as "Delivery order". */
export function toSentenceCase(text: string): string {
  const lower = text.toLowerCase().replace(/\bbpa\b/, "BPA");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
