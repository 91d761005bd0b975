import { Collapsible } from "@base-ui/react/collapsible";
import { useState } from "react";
import { Icon } from "../components/icon.tsx";
import { inline } from "../components/inline.tsx";
import { ParameterField } from "../explorer/parameter-fields.tsx";
import type { Parameter } from "../explorer/parameters.ts";
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
    <ParameterField
      key={parameter.name}
      dataset={dataset}
      parameter={parameter}
      value={values[parameter.name] ?? ""}
      onChange={(value) => {
        setValues((before) => ({ ...before, [parameter.name]: value }));
        onChange(queryWith(dataset, query, parameter.name, value));
      }}
      error={undefined}
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
