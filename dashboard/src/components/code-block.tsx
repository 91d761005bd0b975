import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import "./code-block.css";

/** Code with a copy button. `children` is the same text with syntax colours. */
export function CodeBlock({ text, label, children }: { text: string; label: string; children?: ReactNode }) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard */}
      <section className="code-block-text" tabIndex={0} aria-label={label}>
        <pre>
          <code>{children ?? text}</code>
        </pre>
      </section>
      <CopyButton text={text} look="quiet" aria-label={`Copy ${label}`} className="code-block-copy" />
    </div>
  );
}
