import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { FormError } from "./form-error.tsx";

/** Dialog with a form, whose submission makes a change. */
export function FormDialog({
  title,
  description,
  change,
  refusal,
  known,
  mayHaveWorked,
  submitName,
  busyName = submitName,
  isSticky = false,
  isWide = false,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  description?: ReactNode;
  /** State of the mutation. */
  change: { isPending: boolean; error: Error | null };
  /** Why the form was not sent; undefined where it was. */
  refusal?: object | undefined;
  /** Fields that show their own errors. */
  known?: readonly string[];
  /** Advice for a request without a response, which may have succeeded. */
  mayHaveWorked?: string;
  submitName: string;
  /** Name of the button while the change is made. */
  busyName?: string;
  /** Nothing closes the dialog while the change is made: nobody would see the secret that it issues. */
  isSticky?: boolean;
  isWide?: boolean;
  /** Not called while the change is made. */
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { isPending, error } = change;
  return (
    <Dialog
      isOpen
      isSticky={isSticky && isPending}
      isWide={isWide}
      onClose={onClose}
      title={title}
      description={description}
    >
      <Form
        refusal={refusal ?? error}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSubmit();
        }}
      >
        {children}
        <FormError error={error} known={known} mayHaveWorked={mayHaveWorked} />
        <DialogActions>
          <Button onClick={onClose} disabled={isSticky && isPending}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {isPending ? busyName : submitName}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
