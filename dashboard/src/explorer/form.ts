import { type Dataset, parametersOf } from "./datasets.ts";
import { nameText } from "./parameters.ts";
import type { ExplorerForm } from "./request.ts";

/** Parameters that leave a list's records and their order as they are, so that a cursor into it still holds. */
const ofPage = ["cursor", "limit", "expand", "fields", "facets"];

/** The form with another value. A cursor belongs to the list that it was made for, and goes with it. */
export function changed({ dataset, values }: ExplorerForm, name: string, value: string): ExplorerForm {
  const kept = ofPage.includes(name) ? values : without(values, "cursor");
  return { dataset, values: { ...kept, [name]: value } };
}

/** The form's list with a filter set to one value, from its first page: the list that a facet counted. */
export function filtered({ dataset, values }: ExplorerForm, name: string, value: string): ExplorerForm {
  const isNames = parametersOf[dataset].more.some((one) => one.name === name && one.type === "names");
  return { dataset, values: { ...without(values, "cursor", "offset"), [name]: isNames ? nameText(value) : value } };
}

/** Another page of the form's list; the first one for an empty cursor. */
export function paged({ dataset, values }: ExplorerForm, cursor: string): ExplorerForm {
  const others = without(values, "cursor", "offset");
  return { dataset, values: cursor === "" ? others : { ...others, cursor } };
}

/** One record. The list's parameters stay in the form, for another dataset. */
export function opened({ values }: ExplorerForm, dataset: Dataset, id: string): ExplorerForm {
  return { dataset, values: { ...values, id } };
}

/** The form of another dataset. A cursor and a record belong to the dataset before. */
export function switched({ values }: ExplorerForm, dataset: Dataset): ExplorerForm {
  return { dataset, values: without(values, "cursor", "id") };
}

/** The form without parameters. */
export function cleared({ dataset }: ExplorerForm): ExplorerForm {
  return { dataset, values: {} };
}

function without(values: ExplorerForm["values"], ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
