/** A metric as it was read: its type, and its values by what stands before them, such as `x_total{status="200"}`. */
export interface ReadFamily {
  type: string;
  help: string;
  values: Map<string, number>;
}

const familyLine = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const sampleLine =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"(?:,(?!\})|(?=\})))*\})? (\S+)$/;
const suffixes: Record<string, RegExp> = { counter: /^$/, gauge: /^$/, histogram: /^_(bucket|sum|count)$/ };

/**
 * Reads Prometheus's text format (0.0.4), and is stricter than Prometheus: families are whole and once, with help and
 * type before their values, no value comes twice, counters are called `_total` and histograms add up.
 *
 * @throws what is wrong, in words.
 */
export function readPrometheusText(text: string): Map<string, ReadFamily> {
  if (!text.endsWith("\n")) throw new Error("the text does not end with a line");
  const families = new Map<string, ReadFamily>();
  let help: { name: string; text: string } | undefined;
  let current: { name: string; family: ReadFamily } | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, keyword, name = "", rest = ""] = familyLine.exec(line) ?? [];
    if (keyword === "HELP") {
      help = { name, text: rest };
      continue;
    }
    if (keyword === "TYPE") {
      if (help?.name !== name) throw new Error(`${line}: no help before it`);
      if (!Object.hasOwn(suffixes, rest)) throw new Error(`${line}: no such type`);
      if (families.has(name)) throw new Error(`${line}: the family came before`);
      if ((rest === "counter") !== name.endsWith("_total")) throw new Error(`${line}: counters are called _total`);
      current = { name, family: { type: rest, help: help.text, values: new Map() } };
      families.set(name, current.family);
      continue;
    }
    const [, sample, labels = "", number = ""] = sampleLine.exec(line) ?? [];
    if (sample === undefined) throw new Error(`${line}: no line of the format`);
    if (current === undefined || !sample.startsWith(current.name)) throw new Error(`${line}: not of its family`);
    if (!suffixes[current.family.type]?.test(sample.slice(current.name.length))) throw new Error(`${line}: wrong name`);
    const value = number === "+Inf" ? Number.POSITIVE_INFINITY : Number(number);
    if (Number.isNaN(value)) throw new Error(`${line}: no number`);
    if (current.family.type !== "gauge" && value < 0) throw new Error(`${line}: below 0`);
    const key = `${sample}${labels}`;
    if (current.family.values.has(key)) throw new Error(`${line}: the value came before`);
    current.family.values.set(key, value);
  }
  for (const [name, { type, values }] of families) {
    if (values.size === 0) throw new Error(`${name} has no value`);
    if (type === "histogram") holdHistogram(name, values);
  }
  return families;
}

/** Buckets grow with their bounds, and the last, without one, is the count. */
function holdHistogram(name: string, values: ReadonlyMap<string, number>): void {
  const buckets = new Map<string, { le: string; value: number }[]>();
  for (const [key, value] of values) {
    if (!key.startsWith(`${name}_bucket`)) continue;
    const [, le = ""] = /,?le="([^"]*)"/.exec(key) ?? [];
    const of = key
      .slice(`${name}_bucket`.length)
      .replace(/,?le="[^"]*"/, "")
      .replace("{}", "");
    buckets.set(of, [...(buckets.get(of) ?? []), { le, value }]);
  }
  if (buckets.size === 0) throw new Error(`${name} has no bucket`);
  for (const [of, counts] of buckets) {
    const bounds = counts.map(({ le }) => (le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le)));
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name}${of}: the last bucket has a bound`);
    for (const [index, { value }] of counts.entries()) {
      const [before, bound] = [counts[index - 1], bounds[index] ?? Number.NaN];
      if (Number.isNaN(bound) || (bounds[index - 1] ?? Number.NEGATIVE_INFINITY) >= bound) {
        throw new Error(`${name}${of}: bounds out of order`);
      }
      if (value < (before?.value ?? 0)) throw new Error(`${name}${of}: a bucket is less than the one before`);
    }
    const count = values.get(`${name}_count${of}`);
    if (count !== counts.at(-1)?.value) throw new Error(`${name}${of}: the count is not the last bucket`);
    if (!values.has(`${name}_sum${of}`)) throw new Error(`${name}${of}: no sum`);
  }
}
