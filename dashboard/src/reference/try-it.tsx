import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { ApiProblem, isProblem } from "../api/errors.ts";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Form } from "../components/form.tsx";
import { useFieldErrors } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { KeyChoice } from "../explorer/key-choice.tsx";
import { type ExplorerUser, useExplorerKeys } from "../explorer/keys.ts";
import { useDeployment } from "../session/context.tsx";
import type { Operation } from "./operations.ts";
import { isChange, requestOf, sampleForm } from "./request-form.ts";
import { TryAnswer } from "./try-answer.tsx";
import { TryFields } from "./try-fields.tsx";
import { useTry } from "./use-try.ts";
import "./try-it.css";

/** Datasets of the explorer, by the operation that it sends. */
const inExplorer: Record<string, string> = {
  listGrants: "grants",
  listContracts: "contracts",
  listFunders: "funders",
  semanticSearch: "semantic",
};

/** Panel that sends an operation's request, and shows the answer. */
export default function TryIt({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  const { user } = useExplorerKeys();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="try-it stack-small" aria-labelledby="try-it">
      <div className="reference-sample-head">
        <h2 id="try-it" ref={title} tabIndex={-1}>
          Try it
        </h2>
        <Button look="quiet" isSquare aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {operation.security === "signIn" && user === undefined ? (
        <Callout tone="info" title="Sign in to try it">
          This operation takes the access token of somebody who signed in, not an API key.{" "}
          <Link href="/sign-in">Sign in</Link>
        </Callout>
      ) : (
        <RequestPanel operation={operation} user={user} />
      )}
    </section>
  );
}

function RequestPanel({ operation, user }: { operation: Operation; user: ExplorerUser | undefined }) {
  const { config } = useDeployment();
  const [form, setForm] = useState(() => sampleForm(operation, user?.accountId));
  const dataset = inExplorer[operation.id];
  const [isAsking, setAsking] = useState(false);
  const { attempt, start } = useTry(operation);
  const isPending = attempt.status === "pending";
  const body = attempt.status === "answered" ? attempt.answer.body : undefined;
  const problem = useMemo(() => (isProblem(body) ? new ApiProblem(body) : undefined), [body]);
  const { errors, forget } = useFieldErrors(problem);

  const sendForm = () => start(requestOf(operation, form, config.base_url));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (operation.method === "DELETE") setAsking(true);
    else sendForm();
  };
  const submitByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  return (
    <>
      <Form className="try-form" refusal={problem} onSubmit={submit} onKeyDown={submitByKey}>
        <TryFields
          operation={operation}
          form={form}
          onChange={(next, field) => {
            forget(field);
            setForm(next);
          }}
          errors={errors}
        />
        {operation.security === "apiKey" && <KeyChoice />}
        {dataset !== undefined && user !== undefined && (
          <Link className="small" href={`/explorer?${new URLSearchParams({ dataset, ...form.values })}`}>
            Open in the explorer, with a table and suggestions
          </Link>
        )}
        {operation.security === "signIn" && <p className="muted small">Sent with the token of your sign-in.</p>}
        {isChange(operation) && (
          <Callout tone="warning" title="This is no dry run">
            The request really does what the operation says.
          </Callout>
        )}
        <Button type="submit" look="primary" isBusy={isPending}>
          <Icon name="play" />
          {isPending ? "Sending…" : "Send request"}
        </Button>
      </Form>
      <TryAnswer operation={operation} attempt={attempt} />
      {isAsking && (
        <ConfirmDialog
          title="Really send it?"
          description={`${operation.summary.replace(/\.$/, "")}: this cannot be undone.`}
          change={{ isPending: false, error: null }}
          keepName="Cancel"
          confirmName="Send DELETE"
          isOpenerKept
          onConfirm={({ onSuccess }) => {
            onSuccess();
            sendForm();
          }}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
