import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import "./secret-dialog.css";

/** Shows a secret once, after a form in whose place it comes. Only its buttons close it, so that no accidental click loses the secret. */
export function SecretDialog({
  title,
  description,
  name,
  text,
  onClose,
  action,
}: {
  title: string;
  description: ReactNode;
  /** Name of the secret: "Key". */
  name: string;
  text: string;
  onClose: () => void;
  action?: ReactNode;
}) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog isOpen isSticky isOpenerGone={() => true} onClose={onClose} title={title} description={description}>
      <output className="secret" aria-label={name}>
        {text}
      </output>
      <CopyButton text={text} label={`Copy ${name.toLowerCase()}`} look="primary" onCopied={() => setCopied(true)} />
      <DialogActions>
        {action}
        <Button onClick={onClose}>{isCopied ? "Done" : "I have saved it"}</Button>
      </DialogActions>
    </Dialog>
  );
}
