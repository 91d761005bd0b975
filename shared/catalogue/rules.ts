import type * as z from "zod";
import type { Dataset } from "../datasets.ts";

/**
 * A value that records have for filters to look for. Each distinct one has a bitmap, under the field's name.
 *
 * @property values SQL over the row `record`: its values, an array of text, as they are shown and counted.
 * @property keys column with an array of the same in the form in which they are compared; absent where the field has one value, or is a detail.
 * @property path JSON path of a detail's values in `details`, whose keys have an index of their own.
 * @property column the column that the field is read from; absent for details.
 * @property form how values are compared. `status`: with those that mean the same.
 * @property beginnings lengths of a code's beginnings that are filtered by, too, each shorter than any code. They have bitmaps as whole codes have.
 * @property within of a column: SQL condition that it begins with `code`, which an index answers.
 * @property hasBitmaps false where there are too many values.
 */
export interface ValueField {
  values: string;
  keys?: string;
  path?: string;
  column?: string;
  form: "exact" | "lower" | "upper" | "agency" | "status" | "uuid";
  beginnings?: readonly number[];
  within?: (code: string) => string;
  hasBitmaps?: false;
}

/**
 * A number, day or moment that filters compare.
 *
 * @property value SQL over the row `record`.
 * @property isRanked whether segments store its ranks, by which bitmaps answer.
 * @property sortColumn column of the lists' order by it, which segments store as well. Absent where no list is sorted by it.
 */
export interface MeasuredField {
  value: string;
  type: "number" | "day" | "moment";
  isRanked: boolean;
  sortColumn?: string;
}

/** How a filter compares. */
export type Comparison =
  /** The record has the value, or one of several. `isExcluding`: it has none of them. */
  | { kind: "value"; field: string; isExcluding?: true }
  /** At least, at most, later than, earlier than; or `within` { operator, min, max }, both included. */
  | { kind: "from" | "upto" | "above" | "below" | "within"; field: string }
  /** Filter that no rule expresses: `funding.own_condition` and `funding.own_bitmaps` have its code, by its name. */
  | { kind: "own"; isAlways?: true }
  /** SQL over `record` and the filter `$1`, which no bitmap answers; `as`: what it is beside its details. */
  | { kind: "condition"; condition: string; as: "above" | "below" }
  /** Changes what another filter means, or ranks; by itself it leaves out no record. */
  | { kind: "modifier" };

/** How a filter's values are counted by a facet, where that does not follow from its field: members of `funding.facet_fields`. */
export interface Facet {
  values: string;
  chosen: string;
  foundByAll?: string;
}

/** A filter of lists, searches, webhooks and saved searches. */
export type Filter = Compared & (InLists | { parameter?: undefined; commonGrants?: undefined });

/** A filter that lists have. The CommonGrants search alone has the others. */
interface InLists {
  /** Schema of the query parameter, one for all datasets or one for each. */
  parameter: z.ZodType | Partial<Record<Dataset, z.ZodType>>;
  /** In the CommonGrants search: our own filter's name, or the protocol's field that asks for the same; null where it has none. */
  commonGrants: { name: string } | { field: string } | null;
}

interface Compared {
  datasets: readonly Dataset[];
  /** Whether it takes several values, any of which a record may have, and has a twin that excludes them (twins.ts). */
  several?: true;
  compare: Comparison;
  /** Bitmaps of an `own` comparison: SQL over the row `record`, an array of their names. */
  bitmaps?: string;
  facet?: Facet | true;
  /** Name of the field in the explorer's form. Absent for those that the form has elsewhere, or not at all. */
  label?: string;
}
