import { useState } from "react";
import { useLocation } from "wouter";
import type { IssuedKey } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { useTypedKey } from "../explorer/typed-key.tsx";
import "./issued-dialog.css";

/** Shows a new key's text, this once. Only its buttons close it, so that no stray click loses the key. */
export function IssuedKeyDialog({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const [, setTypedKey] = useTypedKey();
  const [, navigate] = useLocation();
  const explore = () => {
    setTypedKey(issued.key);
    navigate("/explorer");
  };
  return (
    <Dialog
      isOpen
      isSticky
      onClose={onClose}
      title={issued.rotated_from === null ? "Your new key" : "Your replacement key"}
      description={
        <>
          Copy <strong>{issued.name}</strong> now and keep it somewhere safe. Nobody, not even the service, can show it
          again.
        </>
      }
    >
      <output className="issued-key" aria-label="Key">
        {issued.key}
      </output>
      <CopyButton text={issued.key} label="Copy key" look="primary" onCopied={() => setCopied(true)} />
      <DialogActions>
        <Button onClick={explore}>Try it in the explorer</Button>
        <Button onClick={onClose}>{isCopied ? "Done" : "I have saved it"}</Button>
      </DialogActions>
    </Dialog>
  );
}
