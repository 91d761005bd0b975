import { type AccountKey, useRevokeKey } from "../api/account.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatRelative } from "../format/dates.ts";

/** Revokes a key, after a confirmation. */
export function RevokeKeyDialog({ subject, onClose }: { subject: AccountKey; onClose: () => void }) {
  const revoke = useRevokeKey();
  const toast = useToast();
  const done = () => {
    toast({ title: `${subject.name} is revoked`, description: "Requests with it now get 401." });
    onClose();
  };
  const use =
    subject.last_used_at === null ? "It was never used." : `It was last used ${formatRelative(subject.last_used_at)}.`;
  return (
    <ConfirmDialog
      title={`Revoke ${subject.name}?`}
      description={
        <>
          <code>{subject.display}</code> stops working at once, and this cannot be undone. {use}
        </>
      }
      change={revoke}
      confirmName="Revoke key"
      busyName="Revoking…"
      onConfirm={(options) => revoke.mutate(subject.id, options)}
      onDone={done}
      onClose={onClose}
    />
  );
}
