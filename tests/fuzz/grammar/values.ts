import type { Random } from "../../../local/demo/random.ts";
import type { RequestSchema } from "../../contract/arbitrary.ts";
import { anyJson, hostileText } from "./hostile.ts";

const words =
  "water health rural or summer meals kids school broadband -rights research hunger 541511 qzxvwk libary comunity the of".split(
    " ",
  );

/** What a schema allows, or now and then what it does not: of ten values, about one and a half. */
export function valueFor(random: Random, schema: RequestSchema): unknown {
  if (random.chance(0.15)) return random.chance(0.7) ? hostileText(random) : anyJson(random);
  return allowedValue(random, schema);
}

function allowedValue(random: Random, schema: RequestSchema): unknown {
  if (schema.anyOf !== undefined) return allowedValue(random, random.pick(schema.anyOf));
  if (schema.enum !== undefined) return random.pick(schema.enum);
  switch (schema.type) {
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "number":
    case "integer":
      return number(random, schema.minimum ?? 0, schema.maximum ?? 1_000);
    case "array":
      return Array.from({ length: random.integer(schema.minItems ?? 0, 4) }, () =>
        valueFor(random, schema.items ?? {}),
      );
    case "object":
      return objectFor(random, schema);
    default:
      return textFor(random, schema);
  }
}

/** An object with some of a schema's members, nearly always those that it requires. */
export function objectFor(random: Random, { properties = {}, required = [] }: RequestSchema): Record<string, unknown> {
  const members = Object.entries(properties).filter(([name]) => random.chance(required.includes(name) ? 0.95 : 0.4));
  return Object.fromEntries(members.map(([name, schema]) => [name, valueFor(random, schema)]));
}

/** The ends of a range and just beyond are likelier than the middle. */
function number(random: Random, least: number, most: number): number {
  const within = random.integer(least, Math.min(most, least + 1_000));
  return random.pick([least, most, least - 1, most + 1, within, within, within, within]);
}

function textFor(random: Random, { format, pattern }: RequestSchema): string {
  if (format === "uuid") return uuid(random);
  if (format === "date" || format === "date-time") {
    const moment = new Date(Date.UTC(random.integer(1990, 2040), random.integer(0, 11), random.integer(1, 28)));
    return moment.toISOString().slice(0, format === "date" ? 10 : 24);
  }
  if (pattern === "^\\d{6}$") return String(random.integer(111_110, 928_120));
  return Array.from({ length: random.integer(1, 6) }, () => random.pick(words)).join(" ");
}

export function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join("");
  return [8, 12, 16, 20, 32].map((end, place) => hex.slice([0, 8, 12, 16, 20][place], end)).join("-");
}
