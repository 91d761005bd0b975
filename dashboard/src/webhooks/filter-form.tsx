import { Collapsible } from "@base-ui/react/collapsible";
import { useState } from "react";
import { CheckField } from "../components/check-field.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { inline } from "../components/inline.tsx";
import type { Parameter } from "../explorer/parameters.ts";
import { SuggestedField } from "../explorer/suggested-field.tsx";
import { suggestedKind } from "../explorer/suggestions.ts";
import type { Dataset } from "./draft.ts";
import { fieldsOf, othersAt, queryWith, valuesAt } from "./filter-values.ts";

/** The explorer's filters as a form for a query string: its search, and the others on demand. */
export function FilterForm({
  dataset,
  query,
  onChange,
  error,
}: {
  dataset: Dataset;
  query: string;
  onChange: (query: string) => void;
  error: string | undefined;
}) {
  // As they are typed: the query string has neither an open separator nor spaces at the end.
  const [values, setValues] = useState(() => valuesAt(dataset, query));
  const [search, ...more] = fieldsOf(dataset);
  const given = more.filter(({ name }) => (values[name] ?? "") !== "").length;
  const others = othersAt(dataset, query);
  const field = (parameter: Parameter) => (
    <FilterInput
      key={parameter.name}
      dataset={dataset}
      parameter={parameter}
      value={values[parameter.name] ?? ""}
      onChange={(value) => {
        setValues((before) => ({ ...before, [parameter.name]: value }));
        onChange(queryWith(dataset, query, parameter.name, value));
      }}
    />
  );
  return (
    <div className="stack-small">
      {search !== undefined && field(search)}
      <Collapsible.Root defaultOpen={given > 0}>
        <Collapsible.Trigger className="button button-secondary">
          <Icon name="chevron" />
          Filters{given > 0 && ` (${given})`}
        </Collapsible.Trigger>
        <Collapsible.Panel className="filter-inputs">{more.map(field)}</Collapsible.Panel>
      </Collapsible.Root>
      {others.length > 0 && (
        <p className="muted small">
          The query string also has <code>{others.join(", ")}</code>.
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {inline(error)}
        </p>
      )}
    </div>
  );
}

function FilterInput({
  dataset,
  parameter,
  value,
  onChange,
}: {
  dataset: Dataset;
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}) {
  const { name, label, kind, options, placeholder } = parameter;
  const suggested = suggestedKind(name);
  if (suggested !== undefined) {
    return <SuggestedField {...{ parameter, dataset, value, onChange }} kind={suggested} error={undefined} />;
  }
  switch (kind) {
    case "check":
      return (
        <CheckField
          label={
            <>
              {label} <code className="field-api-name">{name}</code>
            </>
          }
          isChecked={value === "true"}
          onChange={(isChecked) => onChange(isChecked ? "true" : "")}
        />
      );
    case "select":
      return (
        <SelectField
          label={label}
          apiName={name}
          options={options ?? []}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    default:
      return (
        <TextField
          label={label}
          apiName={name}
          type={kind === "date" ? "date" : "text"}
          inputMode={kind === "number" ? "numeric" : undefined}
          value={value}
          onValueChange={onChange}
          placeholder={placeholder}
          autoComplete="off"
        />
      );
  }
}
