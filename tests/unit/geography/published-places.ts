import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

/** Public records beside the checkout; nothing of them is copied here. */
const folder = new URL("../../../../shared/data/", import.meta.url);

export const hasPublishedRecords = existsSync(folder);

const textOf = (path: string) => readFileSync(new URL(path, folder), "utf8");
const rowsOf = (path: string) =>
  parse(textOf(path), { columns: true, relax_column_count: true, bom: true }) as Record<string, string>[];

/** Some words, a state and five digits. */
const addressPattern = /(?:\S+\s+){0,12}[^\s,]+,?\s+(?:[A-Z]{2}|D\.C\.|[A-Z][a-z]+),?\s+\d{5}(?:-\d{4})?\b/g;

/** Places as publishers write them: places of performance, geographies, addresses in descriptions and of awardees. */
export function publishedPlaces(): string[] {
  const places: (string | null | undefined)[] = [];
  for (const row of rowsOf("contracts/sam-gov-with-contacts.csv")) places.push(row["Place of Performance"]);
  const pennsylvania = JSON.parse(textOf("grants/pennsylvania.json")) as {
    grants: { populationServedGeography: string }[];
  };
  places.push(...pennsylvania.grants.map((grant) => grant.populationServedGeography));
  const california = JSON.parse(textOf("grants/california.json")) as { fields: { id: string }[]; records: string[][] };
  const geography = california.fields.findIndex(({ id }) => id === "Geography");
  places.push(...california.records.map((record) => record[geography]));
  for (const file of readdirSync(new URL("awards/nsf/", folder)).sort())
    places.push(...awardPlaces(`awards/nsf/${file}`));
  for (const [path, column] of [
    ["contracts/sam-gov-legislative-branch.csv", "description"],
    ["contracts/sam-gov-full-csv-excerpt.csv", "Description"],
  ] as const)
    for (const row of rowsOf(path)) places.push(...((row[column] ?? "").match(addressPattern) ?? []));
  return [...new Set(places.map((place) => (place ?? "").replaceAll("\u00a0", " ").trim()))].filter(
    (place) => place !== "",
  );
}

/** The addresses of awards' places of performance, in one of three layouts by turns. */
function awardPlaces(path: string): string[] {
  if (!path.endsWith(".json")) return [];
  const { response } = JSON.parse(textOf(path)) as { response?: { award?: Record<string, string>[] } };
  return (response?.award ?? []).flatMap((award, index) => {
    const { perfAddress, perfCity, perfStateCode, perfLocation, perfZipCode = "" } = award;
    if (!perfAddress || !perfCity) return [];
    const zip = perfZipCode.slice(0, 5);
    return [
      [
        `${perfAddress} ${perfCity} ${perfStateCode} ${zip}`,
        `${perfLocation}\n${perfAddress}\n${perfCity}, ${perfStateCode}`,
        `${perfAddress}, ${perfCity}, ${perfStateCode} ${zip}-${perfZipCode.slice(5, 9)}`,
      ][index % 3] ?? "",
    ];
  });
}
