import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { filterGroups } from "./filter.ts";
import { Method } from "./method.tsx";
import "../components/field.css";

/** List of all operations and events, with a field that filters it. On a narrow screen, a button opens it. */
export function Contents({ current }: { current: string | undefined }) {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was opened
  useEffect(() => {
    setOpen(false);
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const found = filterGroups(text);
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <nav
      aria-label="Operations"
      className={isOpen ? "reference-contents reference-contents-open" : "reference-contents"}
    >
      <Button className="reference-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="menu" />
        Operations
      </Button>
      <div className="reference-list" ref={list}>
        <div className="reference-filter">
          <input
            type="search"
            data-search-field
            className="control"
            aria-label="Filter operations and parameters"
            placeholder="Filter: deadline, rotate…"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={({ key }) => key === "Escape" && setText("")}
          />
        </div>
        <p role="status" className={text.trim() === "" ? "visually-hidden" : "muted small reference-count"}>
          {text.trim() === "" ? "" : count === 0 ? "Nothing has all of these words." : `${count} found`}
        </p>
        {text.trim() === "" && (
          <Link href="/reference" className="reference-link" aria-current={current === undefined ? "page" : undefined}>
            Introduction
          </Link>
        )}
        {found.map(({ name, operations }) => (
          <div key={name}>
            <h2 className="reference-group">{name}</h2>
            <ul>
              {operations.map(({ operation, fields }) => (
                <li key={operation.id}>
                  <Link
                    href={`/reference/${operation.id}`}
                    className="reference-link"
                    aria-current={operation.id === current ? "page" : undefined}
                  >
                    <span>{operation.method === "EVENT" ? operation.path : operation.summary}</span>
                    {operation.method !== "EVENT" && <Method method={operation.method} />}
                  </Link>
                  {fields.map((field) => (
                    <Link key={field} href={`/reference/${operation.id}#${field}`} className="reference-hit">
                      <code>{field.replace(/^body\./, "")}</code>
                    </Link>
                  ))}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
