import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import "./dialog.css";

/** Modal dialog: a question or a small form. It holds the focus until it is closed, and then returns it. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  isSticky = false,
  isWide = false,
  isOpenerGone = () => false,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Escape and clicks outside do not close the dialog; only its buttons do. Also while a secret is being issued, which nobody would see. */
  isSticky?: boolean;
  isWide?: boolean;
  /** Whether the element that opened the dialog has gone with the action: then the page's title gets the focus. */
  isOpenerGone?: () => boolean;
}) {
  return (
    <BaseDialog.Root
      open={isOpen}
      disablePointerDismissal={isSticky}
      onOpenChange={(open, { reason }) => {
        if (!open && !(isSticky && reason === "escape-key")) onClose();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialog-backdrop" />
        <BaseDialog.Viewport className="dialog-viewport">
          <BaseDialog.Popup
            className={isWide ? "dialog dialog-wide" : "dialog"}
            finalFocus={() => (isOpenerGone() ? (document.getElementById("page-heading") ?? true) : true)}
          >
            <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
            {description !== undefined && (
              <BaseDialog.Description className="muted" render={<div />}>
                {description}
              </BaseDialog.Description>
            )}
            {children}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The buttons at the end of a dialog. The last is the main action. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
