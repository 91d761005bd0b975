import { Field } from "@base-ui/react/field";
import type { ComponentProps, ReactNode, SelectHTMLAttributes } from "react";
import { Icon } from "./icon.tsx";
import { inline } from "./inline.tsx";
import "./field.css";

interface Labelled {
  label: string;
  /** Name of the field in the API, which is shown beside the label. */
  apiName?: string | undefined;
  description?: ReactNode;
  /** Error message of the field. */
  error?: string | undefined;
}

/** Text input with its label, a hint, and an error message. */
export function TextField({
  label,
  apiName,
  description,
  error,
  ...input
}: Labelled & ComponentProps<typeof Field.Control>) {
  return (
    <Field.Root className="field" invalid={error !== undefined}>
      <FieldHead label={label} apiName={apiName} />
      <Field.Control className="control" {...input} />
      <Notes description={description} error={error} />
    </Field.Root>
  );
}

/** Native select: the best list on a phone, and known to every screen reader. */
export function SelectField({
  label,
  apiName,
  description,
  error,
  options,
  ...select
}: Labelled & {
  options: readonly (readonly [value: string, name: string])[];
} & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field.Root className="field" invalid={error !== undefined}>
      <FieldHead label={label} apiName={apiName} />
      <div className="select">
        <Field.Control
          render={
            <select {...select} className="control">
              {options.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          }
        />
        <Icon name="chevron" />
      </div>
      <Notes description={description} error={error} />
    </Field.Root>
  );
}

/** Label of a field, and its name in the API. */
export function FieldHead({ label, apiName }: Pick<Labelled, "label" | "apiName">) {
  const name = <Field.Label className="field-label">{label}</Field.Label>;
  if (apiName === undefined) return name;
  return (
    <div className="field-head">
      {name}
      <Field.Description className="field-api-name" render={<code />}>
        {apiName}
      </Field.Description>
    </div>
  );
}

/** Hint and error message of a field. */
export function Notes({ description, error }: Pick<Labelled, "description" | "error">) {
  return (
    <>
      {description !== undefined && (
        <Field.Description className="muted small" render={<div />}>
          {description}
        </Field.Description>
      )}
      {error !== undefined && (
        <Field.Error className="field-error" match>
          {inline(error)}
        </Field.Error>
      )}
    </>
  );
}
