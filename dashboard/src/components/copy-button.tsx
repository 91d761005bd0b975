import { useEffect, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** How long the button says that it has copied. */
const saidMs = 2_000;

/** Copies a text, and says so to eyes and screen readers. */
export function CopyButton({
  text,
  label = "Copy",
  onCopied,
  ...rest
}: { text: string; label?: string; onCopied?: () => void } & ButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), saidMs);
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
  const said = { copied: "Copied", refused: "Select it and copy" };
  return (
    <Button {...rest} onClick={() => void copy()}>
      <Icon name={outcome === "copied" ? "check" : "copy"} />
      <span className="copy-label" aria-live="polite">
        {outcome === undefined ? label : said[outcome]}
      </span>
    </Button>
  );
}
