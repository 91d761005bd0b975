import { type FormEvent, useState } from "react";
import { type AccountKey, type IssuedKey, useRotateKey } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { SelectField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { FormError } from "../components/form-error.tsx";

/** Overlaps in hours, during which both keys work. */
const overlaps = [
  ["0", "No overlap: the old key stops at once"],
  ["1", "1 hour"],
  ["24", "1 day"],
  ["72", "3 days"],
  ["168", "7 days"],
  ["720", "30 days"],
] as const;

/** Replaces a key by a new one. Both work during the overlap. */
export function RotateKeyDialog({
  subject,
  onClose,
  onIssued,
}: {
  subject: AccountKey;
  onClose: () => void;
  onIssued: (issued: IssuedKey) => void;
}) {
  const [hours, setHours] = useState("24");
  const rotate = useRotateKey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rotate.isPending) return;
    rotate.mutateAsync({ id: subject.id, overlap_hours: Number(hours) }).then(onIssued, () => undefined);
  };
  return (
    <Dialog
      isOpen
      isSticky={rotate.isPending}
      onClose={onClose}
      title={`Rotate ${subject.name}`}
      description="You get a new key with the same name. The old key keeps working for a while, so that you can switch without an interruption."
    >
      <Form refusal={rotate.error} onSubmit={submit}>
        <SelectField
          label="The old key works for"
          options={overlaps}
          value={hours}
          onChange={({ target }) => setHours(target.value)}
        />
        <FormError error={rotate.error} mayHaveWorked="It may have been rotated anyway. Check the list." />
        <DialogActions>
          <Button onClick={onClose} disabled={rotate.isPending}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={rotate.isPending}>
            {rotate.isPending ? "Rotating…" : "Rotate key"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
