import { Field } from "@base-ui/react/field";
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { useExplorerKeys } from "./keys.ts";
import "../components/field.css";
import "./key-choice.css";

/** Choice of the key that requests are sent with: one that is made from the sign-in, or another that is typed. */
export function KeyChoice() {
  const { typed, type, user } = useExplorerKeys();
  const isVisitor = user === undefined;
  const [isOpen, setOpen] = useState(typed !== "" || isVisitor);
  const [isShown, setShown] = useState(false);
  if (!isOpen) {
    return (
      <p className="key-choice muted small">
        A short-lived key is made from your sign-in.{" "}
        <button type="button" className="link-button" onClick={() => setOpen(true)}>
          Use another key
        </button>
      </p>
    );
  }
  return (
    <Field.Root className="field">
      <Field.Label className="field-label">API key</Field.Label>
      <div className="key-choice-line">
        <Field.Control
          className="control"
          type={isShown ? "text" : "password"}
          value={typed}
          required={isVisitor}
          onValueChange={type}
          placeholder="fo_live_…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          // Keeps password managers from offering to store it.
          data-1p-ignore
          data-lpignore="true"
        />
        <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </Button>
      </div>
      <Field.Description className="muted small" render={<div />}>
        Kept in this page’s memory until you reload or {isVisitor ? "sign in" : "sign out"}.{" "}
        {!isVisitor && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              type("");
              setShown(false);
              setOpen(false);
            }}
          >
            Use the sign-in instead
          </button>
        )}
      </Field.Description>
    </Field.Root>
  );
}
