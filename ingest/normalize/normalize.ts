import type { FieldValues } from "../mapping/apply.ts";
import type { Dataset, RecordOf } from "../record.ts";
import { funderOf } from "./funder.ts";
import { type Context, contractOf, grantOf } from "./opportunity.ts";

/** What makes a record of each dataset from a row's values. */
export const normalizers: { [Name in Dataset]: (values: FieldValues, context: Context) => RecordOf[Name] } = {
  grants: grantOf,
  contracts: contractOf,
  funders: funderOf,
};
