import { AccountApiProvider } from "./api/context.tsx";
import { SecretProvider } from "./components/secrets.tsx";
import { ToastProvider } from "./components/toasts.tsx";
import { ExplorerKeyProvider } from "./explorer/key.tsx";
import { Shell } from "./layout/shell.tsx";
import { SignOut } from "./layout/sign-out.tsx";
import { ChosenAccountProvider, useChosenAccount } from "./members/chosen-account.tsx";
import { AccountSwitcher, ChosenAccountGuard } from "./members/switcher.tsx";
import { Pages } from "./pages/pages.tsx";
import { PaletteButton } from "./palette/button.tsx";
import { usePalette } from "./palette/use-palette.tsx";
import type { SignedInUser } from "./session/session.ts";

/** The dashboard of a user. Signing out unmounts it with all its data. */
export default function SignedIn({ userId, email }: SignedInUser) {
  return (
    <ToastProvider>
      <ChosenAccountProvider key={userId} userId={userId}>
        <ChosenAccountPages email={email} />
      </ChosenAccountProvider>
    </ToastProvider>
  );
}

/** The dashboard of the account that the user has chosen. Another choice unmounts it with all its data. */
function ChosenAccountPages({ email }: Pick<SignedInUser, "email">) {
  const { visit } = useChosenAccount();
  const { open, palette } = usePalette();
  return (
    <AccountApiProvider key={visit}>
      <ChosenAccountGuard />
      <ExplorerKeyProvider>
        <SecretProvider>
          <Shell
            email={email}
            switcher={<AccountSwitcher />}
            account={<SignOut />}
            search={<PaletteButton onOpen={open} />}
          >
            <Pages />
          </Shell>
          {palette}
        </SecretProvider>
      </ExplorerKeyProvider>
    </AccountApiProvider>
  );
}
