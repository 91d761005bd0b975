import { Collapsible } from "@base-ui/react/collapsible";
import { useEffect, useState } from "react";
import { CheckField } from "../components/check-field.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { errorWithin } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { SetField } from "../components/set-field.tsx";
import type { Dataset, ParameterGroups } from "./datasets.ts";
import type { Parameter } from "./parameters.ts";
import { SuggestedField } from "./suggested-field.tsx";
import { suggestedKind } from "./suggestions.ts";

/** Form for the parameters: the main ones, and the others on demand. */
export function ParameterFields({
  dataset,
  parameters: { main, more },
  values,
  onChange,
  errors,
}: {
  dataset: Dataset;
  parameters: ParameterGroups;
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
  /** Errors of the last answer about the parameters, by name. */
  errors: Partial<Record<string, string>>;
}) {
  const [isOpen, setOpen] = useState(hasRoom);
  const isWrongBelow = more.some(({ name }) => errorWithin(errors, name) !== undefined);
  useEffect(() => {
    if (isWrongBelow) setOpen(true);
  }, [isWrongBelow]);
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
      dataset={dataset}
      parameter={parameter}
      value={values[parameter.name] ?? ""}
      onChange={(value) => onChange(parameter.name, value)}
      error={errorWithin(errors, parameter.name)}
    />
  );
  const given = more.filter(({ name }) => (values[name] ?? "") !== "").length;
  return (
    <>
      <div className="parameters parameters-main">{main.map(field)}</div>
      <Collapsible.Root open={isOpen || isWrongBelow} onOpenChange={setOpen}>
        <Collapsible.Trigger className="button button-secondary">
          <Icon name="chevron" />
          Filters and paging{given > 0 && ` (${given})`}
        </Collapsible.Trigger>
        <Collapsible.Panel className="parameters parameters-more">{more.map(field)}</Collapsible.Panel>
      </Collapsible.Root>
    </>
  );
}

/** Whether all parameters can be in view beside the answer, as in page.css. */
const hasRoom = () => matchMedia("(min-width: 75rem) and (min-height: 43rem)").matches;

/** Field for a parameter, by its kind, with suggestions where there are some. */
export function ParameterField({
  dataset,
  parameter,
  value,
  onChange,
  error,
}: {
  dataset: Dataset;
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { name, label, kind, options, placeholder } = parameter;
  const suggested = suggestedKind(name);
  if (suggested !== undefined) {
    return <SuggestedField {...{ parameter, dataset, value, onChange, error }} kind={suggested} />;
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
    case "set":
      return (
        <SetField
          label={label}
          apiName={name}
          options={options ?? []}
          value={value === "" ? [] : value.split(",")}
          onChange={(chosen) => onChange(chosen.join(","))}
          error={error}
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
          error={error}
        />
      );
    default:
      return (
        <TextField
          label={label}
          apiName={name}
          // A field for days shows neither moments nor `today+14d`.
          type={kind === "date" && (value === "" || isDay(value)) ? "date" : "text"}
          inputMode={kind === "number" ? "numeric" : undefined}
          value={value}
          onValueChange={onChange}
          placeholder={placeholder}
          autoComplete="off"
          data-search-field={name === "search" || name === "query" || undefined}
          error={error}
        />
      );
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}
