import { describe, expect, test } from "vitest";
import { type MetricFamily, prometheusText } from "../../../functions/metrics/prometheus.ts";
import { readPrometheusText } from "../../support/prometheus.ts";

const gauge = (samples: MetricFamily["samples"], help = "How many."): MetricFamily => ({
  name: "funding_things",
  help,
  type: "gauge",
  samples,
});

test("text is as the format says", () => {
  expect(prometheusText([gauge([{ value: 1 }]), { ...gauge([]), name: "funding_none" }])).toBe(
    "# HELP funding_things How many.\n# TYPE funding_things gauge\nfunding_things 1\n",
  );
});

test("labels may hold anything", () => {
  const text = prometheusText([gauge([{ labels: { source: 'a"b\\c\nd,e}' }, value: 2.5 }], "Two\nlines \\ one")]);
  expect(text).toBe(
    '# HELP funding_things Two\\nlines \\\\ one\n# TYPE funding_things gauge\nfunding_things{source="a\\"b\\\\c\\nd,e}"} 2.5\n',
  );
  expect([...(readPrometheusText(text).get("funding_things")?.values.values() ?? [])]).toEqual([2.5]);
});

describe("the reader refuses", () => {
  const head = "# HELP a_total x\n# TYPE a_total counter\n";
  const histogram = "# HELP h x\n# TYPE h histogram\n";
  test.each([
    ["a value without a family", "a 1\n"],
    ["a value of another family", `${head}b 1\n`],
    ["a type without help", "# TYPE a gauge\na 1\n"],
    ["a family twice", `${head}a_total 1\n${head}a_total 1\n`],
    ["a value twice", `${head}a_total 1\na_total 2\n`],
    ["a counter below 0", `${head}a_total -1\n`],
    ["a counter by another name", "# HELP a x\n# TYPE a counter\na 1\n"],
    ["what is no number", `${head}a_total one\n`],
    ["a label without quotes", `${head}a_total{b=c} 1\n`],
    ["a comma too many", `${head}a_total{b="c",} 1\n`],
    ["an end without a line", `${head}a_total 1`],
    ["an empty family", head],
    ["a bucket that shrinks", `${histogram}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`],
    ["a count that is not the last bucket", `${histogram}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
    ["a histogram without a sum", `${histogram}h_bucket{le="+Inf"} 1\nh_count 1\n`],
  ])("%s", (_what, text) => {
    expect(() => readPrometheusText(text)).toThrow();
  });
});
