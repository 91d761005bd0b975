import { useState } from "react";
import { type IssuedKey, useCreateKey } from "../api/account.ts";
import { SelectField, TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { fieldErrors } from "../components/form-error.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { limitBodyOf, limitNames, noLimits } from "./limits.ts";
import "./create-dialog.css";
import { dateAfter, expiresAtOf, expiryOptions } from "./expiry.ts";

/** Asks for a name, an expiry and, if wanted, limits, and creates a key. */
export function CreateKeyDialog({ onClose, onIssued }: { onClose: () => void; onIssued: (issued: IssuedKey) => void }) {
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState("never");
  const [date, setDate] = useState(dateAfter(30));
  const [limits, setLimits] = useState(noLimits);
  /** Error of a date that was not sent. */
  const [dateError, setDateError] = useState<{ message: string }>();
  const create = useCreateKey();
  const errors = fieldErrors(create.error);
  const submit = () => {
    const expires_at = expiresAtOf(expiry, date);
    if (expires_at === undefined) return setDateError({ message: "choose a date" });
    // Its promise, and not a callback: it also settles when the browser's back button has taken the dialog away.
    create.mutateAsync({ name, expires_at, ...limitBodyOf(limits) }).then(onIssued, () => undefined);
  };
  return (
    <FormDialog
      title="Create a key"
      change={create}
      refusal={dateError}
      known={["name", "expires_at", ...limitNames]}
      mayHaveWorked="A key may have been created anyway. If the list has a key that you never saw, revoke it."
      submitName="Create key"
      busyName="Creating…"
      isSticky
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        description="Name it after the program that uses it, for example “nightly sync”."
        value={name}
        onValueChange={setName}
        maxLength={100}
        autoComplete="off"
        autoFocus
        error={errors.name}
      />
      <SelectField
        label="Expires"
        options={expiryOptions}
        value={expiry}
        onChange={({ target }) => {
          setExpiry(target.value);
          setDateError(undefined);
        }}
        error={expiry === "date" ? undefined : errors.expires_at}
      />
      {expiry === "date" && (
        <TextField
          label="Last day"
          description="The key works until the end of this day, your time."
          type="date"
          min={dateAfter(0)}
          required
          value={date}
          onValueChange={(chosen) => {
            setDate(chosen);
            setDateError(undefined);
          }}
          error={dateError?.message ?? errors.expires_at}
        />
      )}
      <details className="key-limits">
        <summary>Limits</summary>
        <LimitFields form={limits} errors={errors} onChange={(changes) => setLimits({ ...limits, ...changes })} />
      </details>
    </FormDialog>
  );
}
