import { useEffect } from "react";
import { Callout } from "../components/callout.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Brand } from "../layout/brand.tsx";
import { ThemeChoice } from "../layout/theme-choice.tsx";
import { useDeployment } from "../session/context.tsx";
import type { LinkProblem } from "../session/link-problem.ts";
import { MailForm } from "./mail-form.tsx";
import "../layout/shell.css";
import "./sign-in.css";

/** How to sign in here, and why the last link or session did not do. */
export function SignIn({
  because,
  linkProblem,
}: {
  because: "ended" | "signed-out" | undefined;
  linkProblem: LinkProblem | undefined;
}) {
  const { config } = useDeployment();
  useEffect(() => {
    document.title = "Sign in · Funding Opportunities API";
  }, []);
  return (
    <main className="sign-in">
      <div className="sign-in-top">
        <Brand />
        <ThemeChoice />
      </div>
      <div className="sign-in-card">
        <h1>Sign in</h1>
        {linkProblem !== undefined && (
          <Callout tone="bad" title={linkProblem.title}>
            {linkProblem.advice}
          </Callout>
        )}
        {linkProblem === undefined && because === "ended" && (
          <Callout tone="warning" title="Your session has ended">
            Sign in again to go on.
          </Callout>
        )}
        {linkProblem === undefined && because === "signed-out" && (
          <Callout tone="info" title="You are signed out">
            This browser keeps nothing of your account.
          </Callout>
        )}
        {config.sign_in === "mail" ? <MailForm /> : <PrintedLink />}
      </div>
      <p className="muted small sign-in-links">
        <a href={config.reference_url}>API reference</a>
        {config.changelog_url !== null && <a href={config.changelog_url}>Changelog</a>}
      </p>
    </main>
  );
}

function PrintedLink() {
  return (
    <div className="stack-small">
      <p className="muted">
        This server runs on your machine and sends no mail. Open the link that <code>npm start</code> printed after{" "}
        <code>sign_in_link=</code>. It works once, within an hour.
      </p>
      <p className="muted">For another one, run this in the project’s folder while the server runs:</p>
      <CodeBlock label="command for a new link" text="npm run account -- link" />
    </div>
  );
}
