import { parseSourceId } from "../fields/code.ts";
import { isBlank, toLine } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { type ColumnNames, withColumnNames } from "./column-names.ts";
import { funder, noRecord, type RawRow, type Source } from "./source.ts";

/** Columns of the data lake's index, by the names in the index that the IRS publishes. */
const columnNames: ColumnNames = {
  own: [
    "DocStatus",
    "EIN",
    "FormType",
    "OrgType",
    "OrganizationName",
    "TaxYear",
    "TotalAssetsBkEOY",
    "TotalExpensesCY",
    "TotalRevenueCY",
    "Website",
  ],
  copies: {
    TAXPAYER_NAME: "OrganizationName",
    RETURN_TYPE: "FormType",
  },
};

/** Kinds of organizations, by `OrgType`. */
const kinds: Readonly<Record<string, string>> = {
  ExemptPF: "Private foundation",
  "4947a1PF": "Charitable trust treated as a private foundation",
  TaxablePF: "Taxable private foundation",
};

/** Private foundations, from an index of their returns. A funder is identified by its EIN. */
export const irs990pf: Source = {
  name: "irs-990pf",
  about: "an index of 990-PF returns, CSV: private foundations",
  datasets: ["funders"],
  isFull: false,
  columns: ["EIN", "OrganizationName", "FormType"],
  read: withColumnNames(csvRows, columnNames),
  map(row) {
    // Spreadsheets drop leading zeros.
    const ein = isBlank(row.EIN) ? "" : parseSourceId(row.EIN).replace("-", "").padStart(9, "0");
    if (!/^\d{9}$/.test(ein)) return noRecord("has no EIN of nine digits");
    const form = isBlank(row.FormType) ? "" : toLine(row.FormType);
    if (!/^990-?PF$/i.test(form)) return noRecord(`is not a return of a private foundation, but form ${form}`, ein);
    return [
      funder({
        source_id: ein,
        name: row.OrganizationName,
        website: row.Website,
        summary: summaryOf(row),
      }),
    ];
  },
};

/** "Private foundation. In the tax year 2023: assets $1,200, revenue $300, expenses $250." */
function summaryOf(row: RawRow): string {
  const kind = kinds[isBlank(row.OrgType) ? "" : toLine(row.OrgType)] ?? "Private foundation";
  const sums = [
    ["assets", row.TotalAssetsBkEOY],
    ["revenue", row.TotalRevenueCY],
    ["expenses", row.TotalExpensesCY],
  ]
    .filter(([, amount]) => !isBlank(amount) && Number.isFinite(Number(amount)))
    .map(([label, amount]) => `${label} ${dollars.format(Number(amount))}`);
  const year =
    sums.length === 0 || isBlank(row.TaxYear) ? "" : ` In the tax year ${toLine(row.TaxYear)}: ${sums.join(", ")}.`;
  const isFinal = !isBlank(row.DocStatus) && /FinalReturn/.test(toLine(row.DocStatus));
  return `${kind}.${year}${isFinal ? " It filed its final return." : ""}`;
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
