import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./toasts.css";

/** Short messages about finished actions, which disappear by themselves. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={6000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Messages />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Messages() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" swipeDirection={["right", "down"]}>
      <Toast.Content className="toast-content">
        <Icon name={toast.type === "bad" ? "warning" : "check"} />
        <div>
          <Toast.Title className="toast-title" render={<p />} />
          <Toast.Description className="muted small" />
        </div>
        <Toast.Close className="button button-quiet button-square" aria-label="Dismiss">
          <Icon name="close" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** Returns a function that shows a message. */
export function useToast(): (message: { title: string; description?: string; type?: "good" | "bad" }) => void {
  const { add } = Toast.useToastManager();
  return add;
}
