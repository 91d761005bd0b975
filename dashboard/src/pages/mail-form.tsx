import { type FormEvent, useState } from "react";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useDeployment } from "../session/context.tsx";

type SendingState = { step: "editing"; error?: string } | { step: "sending" } | { step: "sent" };

/** Form that mails a sign-in link to an address. */
export function MailForm() {
  const { session } = useDeployment();
  const [email, setEmail] = useState("");
  const [sending, setSending] = useState<SendingState>({ step: "editing" });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (sending.step === "sending") return;
    setSending({ step: "sending" });
    session.sendLink(email).then(
      () => setSending({ step: "sent" }),
      (error: { status?: number }) => setSending({ step: "editing", error: explainRefusal(error) }),
    );
  };
  if (sending.step === "sent") {
    return (
      <div className="stack-small">
        <Callout tone="info" title="Check your mail">
          If you can sign in as {email}, we have sent a link to that address. The link works once. You can close this
          page.
        </Callout>
        <Button onClick={() => setSending({ step: "editing" })}>Use another address</Button>
      </div>
    );
  }
  return (
    <Form
      className="stack-small"
      refusal={sending.step === "editing" && sending.error !== undefined ? sending : undefined}
      onSubmit={send}
    >
      <p className="muted">We send you a link that signs you in. There is no password.</p>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="email"
        required
        value={email}
        onValueChange={setEmail}
        error={sending.step === "editing" ? sending.error : undefined}
      />
      <Button type="submit" look="primary" isBusy={sending.step === "sending"}>
        {sending.step === "sending" ? "Sending…" : "Send the link"}
      </Button>
    </Form>
  );
}

function explainRefusal({ status = 0 }: { status?: number }): string {
  if (status === 429) return "Too many links were requested. Wait a minute, then try again.";
  if (status === 0 || status >= 500) return "The sign-in service cannot be reached. Try again in a moment.";
  return "No link can be sent to this address. Check its spelling.";
}
