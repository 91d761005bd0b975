import { TextField } from "../components/field.tsx";
import { errorWithin } from "../components/form-error.tsx";
import { SetField } from "../components/set-field.tsx";
import { datasetOptions, type LimitForm, rangeErrors } from "./limits.ts";

/** Fields of a key's limits. */
export function LimitFields({
  form,
  errors,
  onChange,
}: {
  form: LimitForm;
  errors: Partial<Record<string, string>>;
  onChange: (changes: Partial<LimitForm>) => void;
}) {
  return (
    <>
      <SetField
        label="Datasets"
        description="The key can read only these. Choose none to let it read all."
        options={datasetOptions}
        value={form.datasets}
        onChange={(datasets) => onChange({ datasets })}
        error={errorWithin(errors, "datasets")}
      />
      <TextField
        label="Requests a day"
        description="Leave it empty for no limit of its own. Its requests also count against the account’s quota."
        inputMode="numeric"
        autoComplete="off"
        value={form.quota}
        onValueChange={(quota) => onChange({ quota })}
        error={errors.daily_quota}
      />
      <TextField
        label="Addresses"
        description="Ranges such as 203.0.113.0/24 or 2001:db8::/32, or single addresses, one per line. The key works only from these. Leave it empty for any address."
        render={<textarea rows={3} />}
        spellCheck={false}
        autoComplete="off"
        value={form.addresses}
        onValueChange={(addresses) => onChange({ addresses })}
        error={rangeErrors(errors)}
      />
    </>
  );
}
