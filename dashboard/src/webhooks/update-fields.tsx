import { changeableFields } from "../../../shared/catalogue/fields.generated.ts";
import { CheckField } from "../components/check-field.tsx";
import { SelectField } from "../components/field.tsx";
import type { UpdateChoice, UpdatedField } from "./draft.ts";

const choices = [
  ["all", "Whatever changed"],
  ["deadline", "When a deadline moves"],
  ["chosen", "When one of these fields changed"],
] as const;

/** Choice of the updates that are sent. */
export function UpdateFields({
  choice,
  fields,
  onChange,
  error,
}: {
  choice: UpdateChoice;
  /** Fields that are chosen. */
  fields: readonly UpdatedField[];
  onChange: (choice: UpdateChoice, fields: readonly UpdatedField[]) => void;
  error: string | undefined;
}) {
  return (
    <>
      <SelectField
        label="Send updates"
        options={choices}
        value={choice}
        onChange={({ target }) => onChange(target.value as UpdateChoice, fields)}
        error={error}
      />
      {choice === "chosen" && (
        <fieldset className="events events-fields">
          <legend className="field-label">Fields of the record or of its details</legend>
          {changeableFields.map((name) => (
            <CheckField
              key={name}
              label={<code>{name}</code>}
              isChecked={fields.includes(name)}
              onChange={(isChecked) =>
                onChange(choice, isChecked ? [...fields, name] : fields.filter((other) => other !== name))
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
