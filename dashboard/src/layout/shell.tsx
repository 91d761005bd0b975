import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { Brand } from "./brand.tsx";
import { Navigation } from "./navigation.tsx";
import { SignOut } from "./sign-out.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import "./shell.css";

/** Layout around every page: the navigation in a sidebar, or on a phone in a drawer. */
export function Shell({ email, children }: { email: string; children: ReactNode }) {
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <aside className="sidebar" aria-label="Sidebar">
        <SidebarContent email={email} />
      </aside>
      <header className="topbar">
        <Brand />
        <Drawer email={email} />
      </header>
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function SidebarContent({ email, onGo }: { email: string; onGo?: () => void }) {
  return (
    <>
      <div className="sidebar-brand">
        <Brand />
      </div>
      <Navigation {...(onGo && { onGo })} />
      <div className="sidebar-end">
        <p className="sidebar-email" title={email}>
          {email}
        </p>
        <div className="sidebar-tools">
          <SignOut />
          <ThemeChoice />
        </div>
      </div>
    </>
  );
}

function Drawer({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="button button-quiet button-square" aria-label="Menu">
        <Icon name="menu" size={20} />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="drawer">
          <Dialog.Title className="visually-hidden">Menu</Dialog.Title>
          <Dialog.Close className="button button-quiet button-square drawer-close" aria-label="Close the menu">
            <Icon name="close" size={20} />
          </Dialog.Close>
          <SidebarContent email={email} onGo={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
