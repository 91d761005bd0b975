import { type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { FormError } from "./form-error.tsx";

/** Asks before something is ended for good. */
export function ConfirmDialog({
  title,
  description,
  change,
  keepName = "Keep it",
  confirmName,
  busyName = confirmName,
  isOpenerKept = false,
  onConfirm,
  onDone,
  onClose,
}: {
  title: string;
  description: ReactNode;
  /** State of the mutation. */
  change: { isPending: boolean; error: Error | null };
  keepName?: string;
  confirmName: string;
  /** Name of the button while the change is made. */
  busyName?: string;
  /** Whether the element that opened the dialog is there afterwards. */
  isOpenerKept?: boolean;
  /** Makes the change, and calls back where it succeeds. */
  onConfirm: (options: { onSuccess: () => void }) => void;
  /** Called when the change is made. */
  onDone: () => void;
  onClose: () => void;
}) {
  const isDone = useRef(false);
  const onSuccess = () => {
    isDone.current = true;
    onDone();
  };
  return (
    <Dialog
      isOpen
      isOpenerGone={() => isDone.current && !isOpenerKept}
      onClose={onClose}
      title={title}
      description={description}
    >
      <FormError error={change.error} />
      <DialogActions>
        <Button onClick={onClose}>{keepName}</Button>
        <Button look="danger" isBusy={change.isPending} onClick={() => onConfirm({ onSuccess })}>
          {change.isPending ? busyName : confirmName}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
