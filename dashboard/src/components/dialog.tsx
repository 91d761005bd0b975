import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import "./dialog.css";

/** A question or a small form over the page: it has the focus until it is closed, and gives it back. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  isSticky = false,
  isWide = false,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Only a button inside closes it: neither Escape nor a click beside it. */
  isSticky?: boolean;
  isWide?: boolean;
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
          <BaseDialog.Popup className={isWide ? "dialog dialog-wide" : "dialog"}>
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

/** The buttons at a dialog's end; the last is what most people want. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
