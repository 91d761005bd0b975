import { useRef } from "react";
import { type AccountKey, useRevokeKey } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { FormError } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatRelative } from "../format/dates.ts";

/** Revokes a key, after a confirmation. */
export function RevokeKeyDialog({ subject, onClose }: { subject: AccountKey; onClose: () => void }) {
  const revoke = useRevokeKey();
  const toast = useToast();
  const isRevoked = useRef(false);
  const confirm = () =>
    revoke.mutate(subject.id, {
      onSuccess: () => {
        isRevoked.current = true;
        toast({ title: `${subject.name} is revoked`, description: "Requests with it now get 401." });
        onClose();
      },
    });
  const use =
    subject.last_used_at === null ? "It was never used." : `It was last used ${formatRelative(subject.last_used_at)}.`;
  return (
    <Dialog
      isOpen
      isOpenerGone={() => isRevoked.current}
      onClose={onClose}
      title={`Revoke ${subject.name}?`}
      description={
        <>
          <code>{subject.display}</code> stops working at once, and this cannot be undone. {use}
        </>
      }
    >
      <FormError error={revoke.error} />
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={revoke.isPending} onClick={confirm}>
          {revoke.isPending ? "Revoking…" : "Revoke key"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
