import { useState } from "react";
import { type AccountKey, type IssuedKey, useRotateKey } from "../api/account.ts";
import { SelectField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";

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
  return (
    <FormDialog
      title={`Rotate ${subject.name}`}
      description="You get a new key with the same name. The old key keeps working for a while, so that you can switch without an interruption."
      change={rotate}
      mayHaveWorked="It may have been rotated anyway. Check the list."
      submitName="Rotate key"
      busyName="Rotating…"
      isSticky
      onSubmit={() =>
        rotate.mutateAsync({ id: subject.id, overlap_hours: Number(hours) }).then(onIssued, () => undefined)
      }
      onClose={onClose}
    >
      <SelectField
        label="The old key works for"
        options={overlaps}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      />
    </FormDialog>
  );
}
