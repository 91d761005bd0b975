import { Field } from "@base-ui/react/field";
import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../components/button.tsx";

/** API key for the request: typed or pasted at each visit, shown on demand, never stored. */
export function KeyField({
  value,
  onChange,
  hasNoKeys,
  error,
}: {
  value: string;
  onChange: (key: string) => void;
  hasNoKeys: boolean;
  error: string | undefined;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <Field.Root className="field" invalid={error !== undefined}>
      <Field.Label className="field-label">API key</Field.Label>
      <div className="key-line">
        <Field.Control
          className="control"
          type={isShown ? "text" : "password"}
          value={value}
          onValueChange={onChange}
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
        {hasNoKeys ? (
          <>
            You have no key yet: <Link href="/keys">create one</Link>.
          </>
        ) : (
          "Kept in this page’s memory until you reload or sign out. It is never stored."
        )}
      </Field.Description>
      {error !== undefined && (
        <Field.Error className="field-error" match>
          {error}
        </Field.Error>
      )}
    </Field.Root>
  );
}
