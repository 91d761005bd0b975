import { type FormEvent, useState } from "react";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { TextField } from "../components/field.tsx";
import { useDeployment } from "../session/context.tsx";

type Sending = { step: "asking"; error?: string } | { step: "sending" } | { step: "sent" };

/** Asks for an address and mails a sign-in link to it. */
export function MailForm() {
  const { session } = useDeployment();
  const [email, setEmail] = useState("");
  const [sending, setSending] = useState<Sending>({ step: "asking" });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (sending.step === "sending") return;
    setSending({ step: "sending" });
    session.sendLink(email).then(
      () => setSending({ step: "sent" }),
      (error: { status?: number }) => setSending({ step: "asking", error: refusalOf(error) }),
    );
  };
  if (sending.step === "sent") {
    return (
      <div className="stack-small">
        <Callout tone="info" title="Check your mail">
          If {email} can sign in, a link is on its way to it. It works once. You can close this page.
        </Callout>
        <Button onClick={() => setSending({ step: "asking" })}>Use another address</Button>
      </div>
    );
  }
  return (
    <form className="stack-small" onSubmit={send}>
      <p className="muted">We mail you a link that signs you in. There is no password.</p>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="email"
        required
        value={email}
        onValueChange={setEmail}
        error={sending.step === "asking" ? sending.error : undefined}
      />
      <Button type="submit" look="primary" isBusy={sending.step === "sending"}>
        {sending.step === "sending" ? "Sending…" : "Send the link"}
      </Button>
    </form>
  );
}

function refusalOf({ status = 0 }: { status?: number }): string {
  if (status === 429) return "Too many links were asked for. Wait a minute, then try again.";
  if (status === 0 || status >= 500) return "The sign-in cannot be reached. Try again in a moment.";
  return "No link can be sent to this address. Check how it is spelled.";
}
