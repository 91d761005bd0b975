/** One value of a metric, with its labels. The suffix is for the parts of a histogram. */
export interface Sample {
  suffix?: "_bucket" | "_sum" | "_count";
  labels?: Readonly<Record<string, string | number>>;
  value: number;
}

/** A metric with all its samples. */
export interface MetricFamily {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: readonly Sample[];
}

export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

/** Writes metrics in Prometheus's text format. A family without samples is left out. */
export function prometheusText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${type}`,
        ...samples.map((sample) => `${name}${sample.suffix ?? ""}${labelsOf(sample)} ${numberText(sample.value)}`),
        "",
      ].join("\n"),
    )
    .join("");
}

function labelsOf({ labels = {} }: Sample): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : value < 0 ? "-Inf" : "NaN";
}
