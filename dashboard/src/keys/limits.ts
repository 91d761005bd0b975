import type { AccountKey } from "../api/account.ts";
import { formatCount } from "../format/numbers.ts";

/** Datasets that a key can be limited to, as the form shows them. */
export const datasetOptions = [
  ["grants", "Grants"],
  ["contracts", "Contracts"],
  ["funders", "Funders"],
] as const;

/** Limits of a key in their form. What is empty is no limit. */
export interface LimitForm {
  datasets: string[];
  quota: string;
}

/** Limits of a key, as the API takes them. It answers with a 400 what is none. */
export interface LimitBody {
  datasets: string[] | null;
  daily_quota: number | string | null;
}

/** The form's fields by the API's name. */
export const limitNames = ["datasets", "daily_quota"] as const satisfies readonly (keyof LimitBody)[];

export const noLimits: LimitForm = { datasets: [], quota: "" };

export function limitFormOf({ datasets, daily_quota }: AccountKey): LimitForm {
  return { datasets: datasets ?? [], quota: daily_quota === null ? "" : String(daily_quota) };
}

export function limitBodyOf({ datasets, quota }: LimitForm): LimitBody {
  const given = quota.trim().replaceAll(",", "");
  return {
    datasets: datasets.length === 0 ? null : datasets,
    daily_quota: given === "" ? null : /^\d+$/.test(given) ? Number(given) : given,
  };
}

/** Limits of a key in a few words: "grants and funders", "1,000 requests a day". */
export function describeLimits({ datasets, daily_quota }: AccountKey): string[] {
  return [
    ...(datasets === null ? [] : [new Intl.ListFormat("en-US").format(datasets)]),
    ...(daily_quota === null
      ? []
      : [`${formatCount(daily_quota)} ${daily_quota === 1 ? "request" : "requests"} a day`]),
  ];
}
