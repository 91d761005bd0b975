import { useEffect } from "react";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { useDeployment } from "../session/context.tsx";
import type { LinkProblem } from "../session/link-problem.ts";
import { MailForm } from "./mail-form.tsx";
import { SignInCard } from "./sign-in-card.tsx";

/** Sign-in page, with the reason why the last link failed or the last session ended. */
export function SignIn({
  because,
  linkProblem,
}: {
  because: "ended" | "signed-out" | undefined;
  linkProblem: LinkProblem | undefined;
}) {
  const { config } = useDeployment();
  useTitle();
  return (
    <SignInCard>
      <h1>Sign in</h1>
      {linkProblem !== undefined && (
        <Callout tone="bad" title={linkProblem.title}>
          {linkProblem.advice}
        </Callout>
      )}
      {linkProblem === undefined && because === "ended" && (
        <Callout tone="warning" title="Your session has ended">
          Sign in again to continue.
        </Callout>
      )}
      {linkProblem === undefined && because === "signed-out" && (
        <Callout tone="info" title="You are signed out">
          This browser stores nothing of your account.
        </Callout>
      )}
      {config.sign_in === "mail" ? <MailForm /> : <PrintedLink />}
    </SignInCard>
  );
}

/** Page in place of every other while it is not known who is signed in. */
export function SignInUnreachable({ isBusy }: { isBusy: boolean }) {
  const { session } = useDeployment();
  useTitle();
  return (
    <SignInCard>
      <h1>Sign in</h1>
      <Callout tone="bad" title="The sign-in service cannot be reached">
        Check that you are online and that the service is running, then try again.
      </Callout>
      <Button look="primary" isBusy={isBusy} onClick={() => void session.retry()}>
        {isBusy ? "Trying…" : "Try again"}
      </Button>
    </SignInCard>
  );
}

function useTitle(): void {
  useEffect(() => {
    document.title = "Sign in · Funding Opportunities API";
  }, []);
}

function PrintedLink() {
  return (
    <div className="stack-small">
      <p className="muted">
        This server runs on your machine and cannot send e-mail. Open the link that <code>npm start</code> printed after{" "}
        <code>sign_in_link=</code>, and choose “Sign in”. The link works once, and expires after an hour.
      </p>
      <p className="muted">To get another one, run this in the project’s folder while the server is running:</p>
      <CodeBlock label="command for a new link" text="npm run account -- link" />
    </div>
  );
}
