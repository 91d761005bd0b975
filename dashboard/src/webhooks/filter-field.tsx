import { useState } from "react";
import { CheckField } from "../components/check-field.tsx";
import { Choice } from "../components/choice.tsx";
import { TextField } from "../components/field.tsx";
import type { Dataset, FilterForm as Filter } from "./draft.ts";
import { FilterForm } from "./filter-form.tsx";

const examples = { grants: "search=water&states=OH", contracts: "set_aside=HUBZone", funders: "search=health" };
/** Labels for the records that the list of a dataset leaves out unless they are asked for. */
const leftOut = {
  grants: "Leave out awarded projects and archived grants",
  contracts: "Leave out awarded and archived contracts",
  funders: "Leave out archived funders",
};

const looks = [
  { value: "form", name: "Form" },
  { value: "query", name: "Query string" },
] as const;

/** Filter of a dataset's records: a query string, or a form for it, or only the defaults of the list, or none. */
export function FilterField({
  dataset,
  filter,
  onChange,
  error,
}: {
  dataset: Dataset;
  filter: Filter;
  onChange: (filter: Filter) => void;
  error: string | undefined;
}) {
  const [look, setLook] = useState<(typeof looks)[number]["value"]>("form");
  const change = (query: string) => onChange({ ...filter, query });
  return (
    <fieldset className="stack-small filter-field">
      <legend className="visually-hidden">{`Filter of ${dataset}`}</legend>
      <div className="filter-head">
        <span className="field-label" aria-hidden="true">{`Only ${dataset} that match`}</span>
        <Choice label={`Filter of ${dataset} as`} value={look} options={looks} onChange={setLook} />
      </div>
      {look === "form" ? (
        <FilterForm dataset={dataset} query={filter.query} onChange={change} error={error} />
      ) : (
        <TextField
          label={`Only ${dataset} that match, as a query string of the list`}
          placeholder={examples[dataset]}
          value={filter.query}
          onValueChange={change}
          autoComplete="off"
          spellCheck={false}
          error={error}
        />
      )}
      <p className="muted small">Like the list, it leaves out what is awarded or archived unless it asks for that.</p>
      {filter.query.trim() === "" && (
        <CheckField
          label={leftOut[dataset]}
          isChecked={filter.hasDefaults}
          onChange={(hasDefaults) => onChange({ ...filter, hasDefaults })}
        />
      )}
    </fieldset>
  );
}
