import { useEffect, useRef } from "react";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { useDeployment } from "../session/context.tsx";
import type { OpenedLink as OpenedLinkState } from "../session/session.ts";
import { SignInCard } from "./sign-in-card.tsx";

/**
 * Asks before a link signs in, since the link may be an attacker's: the user would then work in the attacker's account. If a
 * link was refused while somebody is signed in, says so and offers to stay signed in.
 */
export function OpenedLink({ current, linkProblem, isBusy }: OpenedLinkState) {
  const { session } = useDeployment();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = "Sign in with a link · Funding Opportunities API";
    heading.current?.focus();
  }, []);
  return (
    <SignInCard>
      <h1 ref={heading} tabIndex={-1}>
        {linkProblem === undefined ? "Sign in with this link?" : "Sign in"}
      </h1>
      {linkProblem !== undefined && (
        <Callout tone="bad" title={linkProblem.title}>
          {current !== undefined && `You are still signed in as ${current.email}.`}
        </Callout>
      )}
      {linkProblem === undefined && current !== undefined && (
        <Callout tone="warning" title={`You are signed in as ${current.email}`}>
          Signing in with the link signs you out first.
        </Callout>
      )}
      {linkProblem === undefined && (
        <p className="muted">
          Continue only if you asked for this link yourself. A link from somebody else may sign you in to their account,
          where they can see what you do.
        </p>
      )}
      <div className="row">
        {linkProblem === undefined && (
          <Button look="primary" isBusy={isBusy} onClick={() => void session.redeemLink()}>
            {isBusy ? "Signing in…" : current === undefined ? "Sign in" : "Sign out and use the link"}
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => void session.dismissLink()}>
          {current === undefined ? "Not now" : "Stay signed in"}
        </Button>
      </div>
    </SignInCard>
  );
}
