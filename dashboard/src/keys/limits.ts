import type { AccountKey } from "../../../shared/responses/account/keys.ts";
import { formatCount } from "../format/numbers.ts";

/** Datasets that a key can be limited to, as the form shows them. */
export const datasetOptions = [
  ["grants", "Grants"],
  ["contracts", "Contracts"],
  ["funders", "Funders"],
] as const;

/** Limits of a key in their form. An empty field is no limit. */
export interface LimitForm {
  datasets: string[];
  quota: string;
  /** Address ranges, one a line. */
  addresses: string;
}

/** Limits of a key, as the API takes them. It answers invalid ones with a 400. */
export interface LimitBody {
  datasets: string[] | null;
  daily_quota: number | string | null;
  addresses: string[] | null;
}

/** The form's fields by the API's name. */
export const limitNames = ["datasets", "daily_quota", "addresses"] as const satisfies readonly (keyof LimitBody)[];

export const noLimits: LimitForm = { datasets: [], quota: "", addresses: "" };

export function limitFormOf({ datasets, daily_quota, addresses }: AccountKey): LimitForm {
  return {
    datasets: datasets ?? [],
    quota: daily_quota === null ? "" : String(daily_quota),
    addresses: (addresses ?? []).join("\n"),
  };
}

export function limitBodyOf({ datasets, quota, addresses }: LimitForm): LimitBody {
  const given = quota.trim().replaceAll(",", "");
  const ranges = addresses.split(/[\s,]+/).filter((range) => range !== "");
  return {
    datasets: datasets.length === 0 ? null : datasets,
    daily_quota: given === "" ? null : /^\d+$/.test(given) ? Number(given) : given,
    addresses: ranges.length === 0 ? null : ranges,
  };
}

/** The limits in which a form differs from what it was when it opened: the others stay as they are, even if changed meanwhile. */
export function limitChangesOf(opened: LimitForm, form: LimitForm): Partial<LimitBody> {
  const [before, after] = [limitBodyOf(opened), limitBodyOf(form)];
  const changed = limitNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** Errors of the address ranges, by their place in the list, which the API counts from 0. */
export function rangeErrors(errors: Partial<Record<string, string>>): string | undefined {
  const messages = Object.entries(errors).flatMap(([name, message]) => {
    const index = /^addresses(?:\.(\d+))?$/.exec(name);
    if (index === null) return [];
    return [index[1] === undefined ? message : `range ${Number(index[1]) + 1} ${message}`];
  });
  return messages.length === 0 ? undefined : messages.join("; ");
}

/** Limit of address ranges that are written out. */
const maximumRanges = 2;

/** A range of one address without its prefix. */
function shortRange(range: string): string {
  return range.replace(range.includes(":") ? /\/128$/ : /\/32$/, "");
}

/** Limits of a key in a few words: "grants and funders", "1,000 requests a day", "from 203.0.113.0/24". */
export function describeLimits({ datasets, daily_quota, addresses }: AccountKey): string[] {
  const inWords = (words: readonly string[]) => new Intl.ListFormat("en-US").format(words);
  return [
    ...(datasets === null ? [] : [inWords(datasets)]),
    ...(daily_quota === null
      ? []
      : [`${formatCount(daily_quota)} ${daily_quota === 1 ? "request" : "requests"} a day`]),
    ...(addresses === null
      ? []
      : [
          `from ${addresses.length > maximumRanges ? `${addresses.length} address ranges` : inWords(addresses.map(shortRange))}`,
        ]),
  ];
}
