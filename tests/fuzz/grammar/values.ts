import type { Random } from "../../../local/demo/random.ts";
import type { RequestSchema } from "../../contract/arbitrary.ts";
import { anyJson, hostileText } from "./hostile.ts";
import { operatorRuns } from "./operators.ts";

const words =
  "water health rural or summer meals kids school broadband -rights research hunger 541511 qzxvwk libary comunity the of".split(
    " ",
  );

/** Values that a schema allows, and about 15 in 100 that it does not. */
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
  return Object.fromEntries(
    members.map(([name, schema]) => {
      // Of these the schema says no more than that they are texts, and a wrong one would hide what else there is to find.
      if (name === "filters" && random.chance(0.85)) return [name, filtersFor(random)];
      if (name === "url" && random.chance(0.85)) return [name, "https://hooks.example.org/fuzz"];
      return [name, valueFor(random, schema)];
    }),
  );
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
  return random.chance(0.25) ? operatorRuns(random, words) : someWords(random);
}

function someWords(random: Random): string {
  return Array.from({ length: random.integer(1, 6) }, () => random.pick(words)).join(" ");
}

const otherFilters = [
  "",
  "",
  "&states=OH",
  "&min_amount=5",
  "&search_mode=keyword",
  "&sort_by=title",
  "&naics=541511",
  "&x",
];

/** The filters of a webhook: query strings of lists, by dataset, mostly with a search. */
export function filtersFor(random: Random): Record<string, string> {
  const datasets = ["grants", "contracts", "funders"].filter(() => random.chance(0.5));
  return Object.fromEntries(
    datasets.map((dataset) => {
      const search = random.chance(0.5) ? operatorRuns(random, words) : someWords(random);
      return [
        dataset,
        random.chance(0.1) ? hostileText(random) : `search=${encodeURIComponent(search)}${random.pick(otherFilters)}`,
      ];
    }),
  );
}

export function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join("");
  return [8, 12, 16, 20, 32].map((end, index) => hex.slice([0, 8, 12, 16, 20][index], end)).join("-");
}
