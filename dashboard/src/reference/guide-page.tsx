import type { MarkedToken, Token, Tokens } from "marked";
import { Fragment, type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { CodeBlock } from "../components/code-block.tsx";
import { Code } from "../components/inline.tsx";
import { highlightJson } from "../components/json.tsx";
import { Page } from "../layout/page.tsx";
import { showAnchor } from "./anchor.ts";
import { resolveLink, slugOf } from "./guide-links.ts";
import { ReferenceTable } from "./text.tsx";
import "./guide-page.css";

/** A page of the documentation for customers, which the API serves as Markdown at `/openapi/docs/NAME`. */
export default function GuidePage({ title, tokens }: { title: string; tokens: readonly Token[] }) {
  // It may have come after the address was read.
  useEffect(() => showAnchor(location.hash), []);
  return (
    <Page title={title}>
      <div className="guide">
        {tokens.map((token, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <GuideBlock key={index} token={token as MarkedToken} number={index + 1} />
        ))}
      </div>
    </Page>
  );
}

/** @param number names a table and an example. */
function GuideBlock({ token, number }: { token: MarkedToken; number: number }) {
  switch (token.type) {
    case "heading": {
      const Heading = token.depth === 2 ? "h2" : "h3";
      const id = slugOf(token.text);
      return (
        <Heading id={id}>
          <a href={`#${id}`}>
            <Marks tokens={token.tokens} />
          </a>
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Marks tokens={token.tokens} />
        </p>
      );
    case "list": {
      const List = token.ordered ? "ol" : "ul";
      return (
        <List>
          {token.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
            <li key={index}>
              <Marks tokens={item.tokens} />
            </li>
          ))}
        </List>
      );
    }
    case "table": {
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
      const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }, index) => <Marks key={index} tokens={tokens} />);
      return <ReferenceTable label={`Table ${number}`} heads={cells(token.header)} rows={token.rows.map(cells)} />;
    }
    case "code":
      return (
        <CodeBlock label={`example ${number}`} text={token.text}>
          {token.lang === "json" ? highlightJson(token.text) : token.text}
        </CodeBlock>
      );
    default:
      throw new Error(`a guide has Markdown that the reference does not show: ${token.type}`);
  }
}

/** Text with its marks; within an item of a list also blocks. */
function Marks({ tokens = [] }: { tokens: Token[] | undefined }): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
    <Fragment key={index}>{marked(token as MarkedToken, index)}</Fragment>
  ));
}

function marked(token: MarkedToken, index: number): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? token.text : <Marks tokens={token.tokens} />;
    case "escape":
      return token.text;
    case "codespan":
      return <Code>{token.text}</Code>;
    case "strong":
      return (
        <strong>
          <Marks tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Marks tokens={token.tokens} />
        </em>
      );
    case "link":
      return (
        <GuideLink href={resolveLink(token.href)}>
          <Marks tokens={token.tokens} />
        </GuideLink>
      );
    case "space":
      return null;
    default:
      return <GuideBlock token={token} number={index + 1} />;
  }
}

function GuideLink({ href, children }: { href: string; children: ReactNode }) {
  return href.startsWith("/") ? <Link href={href}>{children}</Link> : <a href={href}>{children}</a>;
}
