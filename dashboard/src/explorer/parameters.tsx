import { Collapsible } from "@base-ui/react/collapsible";
import { useEffect, useState } from "react";
import { CheckField } from "../components/check-field.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { errorWithin } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import type { Parameter } from "./datasets.ts";

/** Form for the parameters: the main ones, and the others on demand. */
export function Parameters({
  parameters: { main, more },
  values,
  onChange,
  errors,
}: {
  parameters: { main: readonly Parameter[]; more: readonly Parameter[] };
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
  /** What the last answer says about the parameters, by name. */
  errors: Partial<Record<string, string>>;
}) {
  const [isOpen, setOpen] = useState(false);
  const isWrongBelow = more.some(({ name }) => errorWithin(errors, name) !== undefined);
  useEffect(() => {
    if (isWrongBelow) setOpen(true);
  }, [isWrongBelow]);
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
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

function ParameterField({
  parameter: { label, kind, options, placeholder },
  value,
  onChange,
  error,
}: {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  switch (kind) {
    case "check":
      return (
        <CheckField
          label={label}
          isChecked={value === "true"}
          onChange={(isChecked) => onChange(isChecked ? "true" : "")}
        />
      );
    case "select":
      return (
        <SelectField
          label={label}
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
          type={kind === "date" ? "date" : "text"}
          inputMode={kind === "number" ? "numeric" : undefined}
          value={value}
          onValueChange={onChange}
          placeholder={placeholder}
          autoComplete="off"
          error={error}
        />
      );
  }
}
