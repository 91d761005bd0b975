import { Fragment, type ReactNode } from "react";

/** A line of text, with its `code` marked up. */
export function inline(text: string): ReactNode {
  return text.split(/`([^`]+)`/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
    index % 2 === 1 ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>,
  );
}

/** Code that breaks after punctuation, where it must, and within no word. */
export function Code({ children }: { children: string }) {
  const parts = children.split(/(?<=[:/=&?,])(?=\w)/);
  return (
    <code className="code">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}
