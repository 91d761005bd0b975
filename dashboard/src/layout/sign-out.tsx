import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { useToast } from "../components/toasts.tsx";
import { useDeployment } from "../session/context.tsx";

/** Button that ends the session in this browser, or all sessions. */
export function SignOut({ scope = "local" }: { scope?: "local" | "global" }) {
  const { session } = useDeployment();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const signOut = () => {
    setBusy(true);
    session.signOut(scope).catch(() => {
      setBusy(false);
      toast({
        title: "You are still signed in",
        description: "The sign-in service could not be reached. Try again in a moment.",
        type: "bad",
      });
    });
  };
  return (
    <Button look={scope === "local" ? "quiet" : "secondary"} isBusy={isBusy} onClick={signOut}>
      <Icon name="out" />
      {scope === "local" ? "Sign out" : "Sign out everywhere"}
    </Button>
  );
}
