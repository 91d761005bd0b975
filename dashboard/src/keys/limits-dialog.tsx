import { type FormEvent, useState } from "react";
import { type AccountKey, useLimitKey } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { Form } from "../components/form.tsx";
import { FormError, fieldErrors } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { limitChangesOf, limitFormOf, limitNames } from "./limits.ts";

/** Changes the limits of a key. */
export function LimitsDialog({ subject, onClose }: { subject: AccountKey; onClose: () => void }) {
  const [opened] = useState(() => limitFormOf(subject));
  const [form, setForm] = useState(opened);
  const limit = useLimitKey();
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (limit.isPending) return;
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
    <Dialog
      isOpen
      onClose={onClose}
      title={`Limits of ${subject.name}`}
      description="They hold from the key’s next request on. A key that replaces it has the same."
    >
      <Form refusal={limit.error} onSubmit={submit} noValidate>
        <LimitFields
          form={form}
          errors={fieldErrors(limit.error)}
          onChange={(changes) => setForm({ ...form, ...changes })}
        />
        <FormError error={limit.error} known={limitNames} mayHaveWorked="They may have been changed anyway." />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={limit.isPending}>
            {limit.isPending ? "Saving…" : "Save limits"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
