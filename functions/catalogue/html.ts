import { escapeHtml } from "../../shared/http/escape-html.ts";

/** Markup that is safe to send: made by `html` alone. */
export class Html {
  constructor(readonly markup: string) {}
}

/** A value within a template. Texts are escaped; null, undefined and false are left out; of a list, each item is written. */
type Value = Html | string | number | null | undefined | false | readonly Value[];

/** Template tag: the template's own text is markup, each value in it is text. Attributes have their values in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(write)));
}

function write(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object") return value.map(write).join("");
  return escapeHtml(String(value));
}

/** A value as JSON within a `script` element of data: nothing in it can end the element. */
export function jsonData(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028"));
}
