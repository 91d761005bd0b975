import { useState } from "react";
import { SelectField, TextField } from "../components/field.tsx";
import { errorWithin } from "../components/form-error.tsx";
import { Disclosure } from "./fields.tsx";
import type { Parameter } from "./openapi.ts";
import type { Operation } from "./operations.ts";
import { parameterGroups, type RequestForm } from "./request-form.ts";
import { kindsOf, plain } from "./schema.ts";

/** Fields for an operation's parameters and body. */
export function TryFields({
  operation,
  form,
  onChange,
  errors,
}: {
  operation: Operation;
  form: RequestForm;
  /** Takes the changed form, and the name of the field that was changed. */
  onChange: (form: RequestForm, field: string) => void;
  /** Errors of the last answer about the parameters, by name. */
  errors: Partial<Record<string, string>>;
}) {
  const { main, more } = parameterGroups(operation);
  const [wasWrongBelow, setWasWrongBelow] = useState(false);
  if (!wasWrongBelow && more.some(({ name }) => errorWithin(errors, name) !== undefined)) setWasWrongBelow(true);
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={form.values[parameter.name] ?? ""}
      error={errorWithin(errors, parameter.name)}
      onChange={(value) => onChange({ ...form, values: { ...form.values, [parameter.name]: value } }, parameter.name)}
    />
  );
  return (
    <>
      {main.length > 0 && <div className="try-fields">{main.map(field)}</div>}
      {operation.body !== undefined && (
        <TextField
          label="Body"
          apiName={operation.body.type}
          render={<textarea rows={Math.min(form.body.split("\n").length + 1, 14)} />}
          className="control try-body"
          value={form.body}
          required={operation.body.isRequired}
          spellCheck={false}
          onValueChange={(body) => onChange({ ...form, body }, "body")}
        />
      )}
      {more.length > 0 && (
        <Disclosure
          // Another one, open, once a folded field was wrong.
          key={String(wasWrongBelow)}
          title={`More parameters (${more.length})`}
          isOpen={wasWrongBelow}
        >
          <div className="try-fields">{more.map(field)}</div>
        </Disclosure>
      )}
    </>
  );
}

function ParameterField({
  parameter: { name, schema, required = false },
  value,
  error,
  onChange,
}: {
  parameter: Parameter;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const one = plain(schema);
  const [kind] = kindsOf(one);
  const values = kind === "boolean" ? ["true", "false"] : (one.enum ?? []).map(String);
  const fallback = one.default === undefined ? "" : String(one.default);
  if (values.length > 0) {
    const options = [["", fallback] as const, ...values.map((each) => [each, each] as const)];
    return (
      <SelectField
        label={name}
        options={options}
        value={value}
        error={error}
        required={required}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  return (
    <TextField
      label={name}
      value={value}
      error={error}
      required={required}
      placeholder={fallback}
      inputMode={kind === "integer" || kind === "number" ? "decimal" : undefined}
      autoComplete="off"
      spellCheck={false}
      onValueChange={onChange}
    />
  );
}
