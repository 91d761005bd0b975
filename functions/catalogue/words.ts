import type { applicantTypes, fundingInstruments } from "../../shared/catalogue/details.ts";
import type { Dataset } from "../../shared/datasets.ts";
import { isStateCode, stateNames } from "../../shared/geography/states.ts";
import { lineOf } from "./text.ts";

/** What a record of a dataset is called, one and several. */
export const nouns: Readonly<Record<Dataset, readonly [one: string, several: string]>> = {
  grants: ["grant", "grants"],
  contracts: ["contract", "contracts"],
  funders: ["funder", "funders"],
};

const applicants: Readonly<Record<(typeof applicantTypes)[number], string>> = {
  individual: "Individuals",
  organization: "Organizations",
  government_state: "State governments",
  government_county: "County governments",
  government_municipal: "City or township governments",
  government_special_district: "Special district governments",
  government_tribal: "Tribal governments, federally recognized",
  organization_tribal_other: "Other tribal organizations",
  school_district_independent: "Independent school districts",
  higher_education_public: "Public colleges and universities",
  higher_education_private: "Private colleges and universities",
  non_profit_with_501c3: "Nonprofits with 501(c)(3) status",
  nonprofit_without_501c3: "Nonprofits without 501(c)(3) status",
  for_profit_small_business: "Small businesses",
  for_profit_not_small_business: "Businesses that are not small",
  unrestricted: "Anyone",
  custom: "Others, named in the notice",
};

const instruments: Readonly<Record<(typeof fundingInstruments)[number], string>> = {
  grant: "Grant",
  cooperative_agreement: "Cooperative agreement",
  procurement_contract: "Procurement contract",
  other: "Other",
};

const statuses: Readonly<Record<string, string>> = { posted: "Open", forecasted: "Upcoming", upcoming: "Upcoming" };

export function statusName(status: string): string {
  return statuses[status] ?? capitalize(status);
}

/** Whether something can be applied for now. */
export function isOpenStatus(status: string): boolean {
  return status === "open" || status === "posted";
}

export function applicantName(type: string): string {
  return (applicants as Readonly<Record<string, string>>)[type] ?? type;
}

export function instrumentName(instrument: string): string {
  return (instruments as Readonly<Record<string, string>>)[instrument] ?? instrument;
}

/** Names of filters' values, where they are codes. */
const valueNames: Readonly<Record<string, (value: string) => string>> = {
  status: statusName,
  states: (code) => (isStateCode(code) ? stateNames[code] : code),
  applicant_type: applicantName,
  funding_instrument: instrumentName,
  cost_sharing: yesNo,
  include_unrestricted: yesNo,
  include_national: yesNo,
};

/** A filter's value, as people read it. Its twin, which excludes, has the same. */
export function valueName(filter: string, value: string): string {
  return valueNames[filter.replace(/^exclude_/, "")]?.(value) ?? lineOf(value);
}

function yesNo(value: string): string {
  return value === "true" ? "yes" : "no";
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat("en-US").format(value);
}

export function dollars(value: number): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(value);
}

/** What one award may be; undefined where the publisher does not say. */
export function amountRange(least: number | null, most: number | null): string | undefined {
  if (least !== null && most !== null && least > 0 && least !== most) return `${dollars(least)} to ${dollars(most)}`;
  if (most !== null && most > 0) return least === most ? dollars(most) : `up to ${dollars(most)}`;
  return least === null || least <= 0 ? undefined : `from ${dollars(least)}`;
}

/** `1 grant`, `1,200 grants`. */
export function counted(count: number, [one, several]: readonly [string, string]): string {
  return `${formatNumber(count)} ${count === 1 ? one : several}`;
}

/** Size of a file. */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} bytes`;
  return size < 1_000_000 ? `${Math.round(size / 1_000)} KB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
