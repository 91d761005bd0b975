import { useLocation } from "wouter";
import type { IssuedKey } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { SecretDialog } from "../components/secret-dialog.tsx";
import { useExplorerKeys } from "../explorer/keys.ts";

/** Shows a new key once. */
export function IssuedKeyDialog({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) {
  const { type } = useExplorerKeys();
  const [, navigate] = useLocation();
  const explore = () => {
    type(issued.key);
    onClose();
    navigate("/explorer");
  };
  return (
    <SecretDialog
      title={issued.rotated_from === null ? "Your new key" : "Your replacement key"}
      description={
        <>
          Copy <strong>{issued.name}</strong> now and store it safely. Nobody, not even the service, can show it again.
        </>
      }
      name="Key"
      text={issued.key}
      onClose={onClose}
      action={<Button onClick={explore}>Try it in the explorer</Button>}
    />
  );
}
