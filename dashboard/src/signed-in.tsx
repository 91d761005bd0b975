import { AccountApiProvider } from "./api/context.tsx";
import { ToastProvider } from "./components/toasts.tsx";
import { ExplorerKeyProvider } from "./explorer/key.tsx";
import { Shell } from "./layout/shell.tsx";
import { SignOut } from "./layout/sign-out.tsx";
import { Pages } from "./pages/pages.tsx";
import type { SignedInUser } from "./session/session.ts";

/** The dashboard of a user. Signing out unmounts it with all its data. */
export default function SignedIn({ userId, email }: SignedInUser) {
  return (
    <AccountApiProvider key={userId}>
      <ToastProvider>
        <ExplorerKeyProvider>
          <Shell email={email} account={<SignOut />}>
            <Pages />
          </Shell>
        </ExplorerKeyProvider>
      </ToastProvider>
    </AccountApiProvider>
  );
}
