import { createContext, Fragment, type ReactNode, useCallback, useContext, useState } from "react";

/** Dialog that shows a secret once. It has to call `onClose` when the user is done with it. */
type RenderDialog = (onClose: () => void) => ReactNode;

const context = createContext<((dialog: RenderDialog) => void) | undefined>(undefined);

/**
 * Shows dialogs with secrets above the pages. The browser's back button takes the page away, also while its secret is being
 * issued; the dialog stays.
 */
export function SecretProvider({ children }: { children: ReactNode }) {
  const [dialogs, setDialogs] = useState<readonly RenderDialog[]>([]);
  const show = useCallback((dialog: RenderDialog) => setDialogs((earlier) => [...earlier, dialog]), []);
  return (
    <context.Provider value={show}>
      {children}
      <Fragment key={dialogs.length}>{dialogs[0]?.(() => setDialogs(([_, ...later]) => later))}</Fragment>
    </context.Provider>
  );
}

/** Returns a function that shows a dialog with a secret, also after the page that calls it has gone. */
export function useShowSecret(): (dialog: RenderDialog) => void {
  const show = useContext(context);
  if (show === undefined) throw new Error("useShowSecret needs a SecretProvider");
  return show;
}
