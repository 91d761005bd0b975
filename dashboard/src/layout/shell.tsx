import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { Brand } from "./brand.tsx";
import { Navigation } from "./navigation.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import "./shell.css";

interface Visitor {
  /** Address of the user who is signed in. */
  email?: string;
  /** Choice of the account, where there are several. */
  switcher?: ReactNode;
  /** Button that signs in or out. */
  account: ReactNode;
}

/** Layout around every page: the navigation in a sidebar, or on a phone in a drawer. `search` is the button that opens the palette. */
export function Shell({ children, search, ...visitor }: Visitor & { search?: ReactNode; children: ReactNode }) {
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <aside className="sidebar" aria-label="Sidebar">
        <SidebarContent {...visitor} search={search} />
      </aside>
      <header className="topbar">
        <Brand />
        <div className="row">
          {search}
          <Drawer {...visitor} />
        </div>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function SidebarContent({
  email,
  switcher,
  account,
  search,
  onGo,
}: Visitor & { search?: ReactNode; onGo?: () => void }) {
  return (
    <>
      <div className="sidebar-brand">
        <Brand />
      </div>
      {search}
      <Navigation {...(onGo && { onGo })} />
      <div className="sidebar-end">
        {switcher}
        {email !== undefined && (
          <p className="sidebar-email" title={email}>
            {email}
          </p>
        )}
        <div className="sidebar-tools">
          <div>{account}</div>
          <ThemeChoice />
        </div>
      </div>
    </>
  );
}

function Drawer(visitor: Visitor) {
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
          <SidebarContent {...visitor} onGo={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
