import { useEffect, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** Time for which the button shows the outcome. */
const outcomeMs = 2_000;

/** Copies a text, and announces the outcome, also to screen readers. */
export function CopyButton({
  text,
  label = "Copy",
  onCopied,
  ...rest
}: { text: string; label?: string; onCopied?: () => void } & ButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), outcomeMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setOutcome("copied");
        onCopied?.();
      },
      () => setOutcome("refused"),
    );
  const outcomeLabels = { copied: "Copied", refused: "Select and copy it" };
  return (
    <Button {...rest} onClick={() => void copy()}>
      <Icon name={outcome === "copied" ? "check" : "copy"} />
      <span className="copy-label" aria-live="polite">
        {outcome === undefined ? label : outcomeLabels[outcome]}
      </span>
    </Button>
  );
}
