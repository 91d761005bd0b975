import { useState } from "react";
import { type AccountKey, useLimitKey } from "../api/account.ts";
import { FormDialog } from "../components/form-dialog.tsx";
import { fieldErrors } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { limitChangesOf, limitFormOf, limitNames } from "./limits.ts";

/** Changes the limits of a key. */
export function LimitsDialog({ subject, onClose }: { subject: AccountKey; onClose: () => void }) {
  const [opened] = useState(() => limitFormOf(subject));
  const [form, setForm] = useState(opened);
  const limit = useLimitKey();
  const toast = useToast();
  const submit = () => {
    const limits = limitChangesOf(opened, form);
    if (Object.keys(limits).length === 0) return onClose();
    limit.mutate(
      { id: subject.id, limits },
      {
        onSuccess: () => {
          toast({ title: `The limits of ${subject.name} are changed` });
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={`Limits of ${subject.name}`}
      description="They apply from the key’s next request on. A key that replaces it has the same limits."
      change={limit}
      known={limitNames}
      mayHaveWorked="They may have been changed anyway."
      submitName="Save limits"
      busyName="Saving…"
      onSubmit={submit}
      onClose={onClose}
    >
      <LimitFields
        form={form}
        errors={fieldErrors(limit.error)}
        onChange={(changes) => setForm({ ...form, ...changes })}
      />
    </FormDialog>
  );
}
