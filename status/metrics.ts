import { bucketBoundsMs } from "../shared/usage/recorder.ts";
import { bucketCount, type CountsByEndpoint } from "./response-times.ts";

/** One reading of `/metrics`: counters, and ages of the data. */
export interface MetricsReading {
  /** Requests so far, each in one bucket. */
  counters: CountsByEndpoint;
  /** Seconds since a dataset's data were as its publisher has them, by dataset. */
  dataAges: ReadonlyMap<string, number>;
}

/** Limit of endpoints and datasets that are read: a server may send any number. */
const maximumNames = 40;
/** Longest name of one. */
const maximumNameLength = 60;

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?/g;
/** Upper bounds of the buckets as `le` has them. */
const bounds = [...bucketBoundsMs.map((bound) => bound / 1_000), Number.POSITIVE_INFINITY];

/**
 * Reads the metrics of a status page from Prometheus's text format. Other families are passed over.
 *
 * @throws {Error} when the text has no metrics of this API, or response times in other buckets than this version's.
 */
export function readMetrics(text: string): MetricsReading {
  const cumulative = new Map<string, number[]>();
  const dataAges = new Map<string, number>();
  let isOurs = false;
  for (const line of text.split(/\r?\n/)) {
    isOurs ||= line.startsWith("# TYPE funding_");
    const [, name, labelText = "", valueText = ""] = sampleLine.exec(line) ?? [];
    const value = Number(valueText);
    if (name === undefined || !Number.isFinite(value) || value < 0) continue;
    const { endpoint = "", le = "", dataset = "" } = readLabels(labelText);
    if (name === "funding_data_age_seconds" && isNew(dataAges, dataset)) dataAges.set(dataset, value);
    if (
      name === "funding_request_duration_seconds_bucket" &&
      (cumulative.has(endpoint) || isNew(cumulative, endpoint))
    ) {
      const bucket = bounds.indexOf(le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le));
      if (bucket === -1 || !Number.isSafeInteger(value))
        throw new Error("the answer's response times are in other buckets than this version's");
      const counts = cumulative.get(endpoint) ?? [];
      counts[bucket] = value;
      cumulative.set(endpoint, counts);
    }
  }
  if (!isOurs) throw new Error("the answer has no metrics of this API");
  return {
    counters: new Map([...cumulative].map(([endpoint, counts]) => [endpoint, singleBuckets(counts)])),
    dataAges,
  };
}

function readLabels(text: string): Record<string, string> {
  const unescaped = (_escaped: string, character: string) => (character === "n" ? "\n" : character);
  return Object.fromEntries(
    [...text.matchAll(label)].map(([, name = "", value = ""]) => [name, value.replaceAll(/\\(.)/g, unescaped)]),
  );
}

function isNew(known: ReadonlyMap<string, unknown>, name: string): boolean {
  return name !== "" && name.length <= maximumNameLength && !known.has(name) && known.size < maximumNames;
}

/** Turns cumulative buckets into single ones. */
function singleBuckets(cumulative: readonly number[]): number[] {
  const counts = Array.from(
    { length: bucketCount },
    (_, bucket) => (cumulative[bucket] ?? 0) - (cumulative[bucket - 1] ?? 0),
  );
  if (cumulative.length !== bucketCount || counts.some((count) => !(count >= 0))) {
    throw new Error("the answer's response times are in other buckets than this version's");
  }
  return counts;
}
