import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { guides } from "./guides.generated.ts";
import { Method } from "./method.tsx";
import { groups } from "./operations.ts";
import { SearchField, SearchResults } from "./search-results.tsx";
import { topics } from "./topics.ts";

/** List of all pages of the reference, with a field that searches them. On a narrow screen, a button opens the list. */
export function Contents({ current }: { current: string | undefined }) {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const navigation = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was opened
  useEffect(() => {
    setOpen(false);
    navigation.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const isSearching = text.trim() !== "";
  return (
    <nav
      ref={navigation}
      aria-label="Operations"
      className={isOpen || isSearching ? "reference-contents reference-contents-open" : "reference-contents"}
    >
      <div className="reference-bar">
        <Button className="reference-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="menu" />
          Operations
        </Button>
        <SearchField text={text} onText={setText} />
      </div>
      <div className="reference-list">
        {isSearching ? <SearchResults text={text} onText={setText} /> : <PageList current={current} />}
      </div>
    </nav>
  );
}

function PageList({ current }: { current: string | undefined }) {
  const currentOf = (id: string | undefined) => (id === current ? "page" : undefined);
  return (
    <>
      <ul>
        <li>
          <Link href="/reference" className="reference-link" aria-current={currentOf(undefined)}>
            Introduction
          </Link>
        </li>
        {topics.map(({ id, title }) => (
          <li key={id}>
            <Link href={`/reference/${id}`} className="reference-link" aria-current={currentOf(id)}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <h2 className="reference-group">Guides</h2>
        <ul>
          {guides.map(({ name, title }) => (
            <li key={name}>
              <Link
                href={`/reference/guide-${name}`}
                className="reference-link"
                aria-current={currentOf(`guide-${name}`)}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {groups.map(({ name, operations }) => (
        <div key={name}>
          <h2 className="reference-group">{name}</h2>
          <ul>
            {operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <Link href={`/reference/${id}`} className="reference-link" aria-current={currentOf(id)}>
                  <span>{method === "EVENT" ? path : summary}</span>
                  {method !== "EVENT" && <Method method={method} />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
