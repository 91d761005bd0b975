import { Fragment, type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { pages } from "../../../functions/openapi/pages.generated.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Code } from "../components/inline.tsx";
import { highlightJson } from "../components/json.tsx";
import { Page } from "../layout/page.tsx";
import { showAnchor } from "./anchor.ts";
import { type Block, parseMarkdown, parseSpans, resolveLink } from "./markdown.ts";
import { MarkdownTable } from "./text.tsx";
import "./guide-page.css";

/** A page of the documentation for customers, which the API serves as Markdown at `/openapi/docs/NAME`. */
export default function GuidePage({ name }: { name: string }) {
  // It may have come after the address was read.
  useEffect(() => showAnchor(location.hash), []);
  const page = pages.find((each) => each.name === name);
  if (page === undefined) return null;
  return (
    <Page title={page.title}>
      <div className="guide">
        {parseMarkdown(page.text).map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <GuideBlock key={index} block={block} />
        ))}
      </div>
    </Page>
  );
}

function GuideBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading": {
      const Heading = block.level === 2 ? "h2" : "h3";
      return (
        <Heading id={block.id}>
          <a href={`#${block.id}`}>{spans(block.text)}</a>
        </Heading>
      );
    }
    case "paragraph":
      return <p>{spans(block.text)}</p>;
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item) => (
            <li key={item}>{spans(item)}</li>
          ))}
        </List>
      );
    }
    case "table":
      return <MarkdownTable rows={block.rows} label={`Table ${block.number}`} render={spans} />;
    case "code":
      return (
        <CodeBlock label={`example ${block.number}`} text={block.text}>
          {block.language === "json" ? highlightJson(block.text) : block.text}
        </CodeBlock>
      );
  }
}

/** A line with its marks. */
function spans(line: string): ReactNode {
  return parseSpans(line).map(({ kind, text, href = "" }, index) => {
    const content =
      kind === "code" ? (
        <Code>{text}</Code>
      ) : kind === "strong" ? (
        <strong>{spans(text)}</strong>
      ) : kind === "em" ? (
        <em>{text}</em>
      ) : kind === "link" ? (
        <GuideLink href={resolveLink(href)}>{spans(text)}</GuideLink>
      ) : (
        text
      );
    // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
    return <Fragment key={index}>{content}</Fragment>;
  });
}

function GuideLink({ href, children }: { href: string; children: ReactNode }) {
  return href.startsWith("/") ? <Link href={href}>{children}</Link> : <a href={href}>{children}</a>;
}
