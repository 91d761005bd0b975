import { CheckField } from "../components/check-field.tsx";
import { TextField } from "../components/field.tsx";
import type { Dataset, FilterForm } from "./draft.ts";

const examples = { grants: "search=water&states=OH", contracts: "set_aside=HUBZone", funders: "search=health" };
/** Labels for the records that the list of a dataset leaves out unless they are asked for. */
const leftOut = {
  grants: "Leave out awarded projects and archived grants",
  contracts: "Leave out awarded and archived contracts",
  funders: "Leave out archived funders",
};

/** Filter of a dataset's records: a query string, or only the defaults of the list, or none. */
export function FilterField({
  dataset,
  filter,
  onChange,
  error,
}: {
  dataset: Dataset;
  filter: FilterForm;
  onChange: (filter: FilterForm) => void;
  error: string | undefined;
}) {
  return (
    <div className="stack-small filter-field">
      <TextField
        label={`Only ${dataset} that match`}
        description="Query string of the list endpoint. Like the list, it leaves out what is awarded or archived unless it asks for that."
        placeholder={examples[dataset]}
        value={filter.query}
        onValueChange={(query) => onChange({ ...filter, query })}
        autoComplete="off"
        spellCheck={false}
        error={error}
      />
      {filter.query.trim() === "" && (
        <CheckField
          label={leftOut[dataset]}
          isChecked={filter.hasDefaults}
          onChange={(hasDefaults) => onChange({ ...filter, hasDefaults })}
        />
      )}
    </div>
  );
}
