import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import { showAnchor } from "./anchor.ts";
import { searchReference } from "./search.ts";
import "../components/field.css";

interface SearchText {
  text: string;
  onText: (text: string) => void;
}

/** Field for the search. Arrow down goes to the results, Enter to the first of them. */
export function SearchField({ text, onText }: SearchText) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onText("");
    const [first] = resultLinks();
    if (first === undefined || !["ArrowDown", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Enter") first.click();
    else first.focus();
  };
  return (
    <input
      type="search"
      id="reference-search"
      data-search-field
      className="control reference-search"
      aria-label="Search operations, fields, headers and errors"
      placeholder="Search"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) => onText(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** Places that were found. Arrows go from one to the next, Escape back to the field. */
export function SearchResults({ text, onText }: SearchText) {
  const found = searchReference(text);
  const choose = (href: string) => {
    onText("");
    // An address that stays leads nowhere by itself.
    if (href === location.pathname + location.hash) showAnchor(location.hash);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") searchField()?.focus();
    if (step === undefined) return;
    event.preventDefault();
    const links = resultLinks();
    const next = links.indexOf(document.activeElement as HTMLElement) + step;
    (links[next] ?? (next < 0 ? searchField() : undefined))?.focus();
  };
  return (
    <>
      <p role="status" className="muted small reference-count">
        {found.length === 0 ? "Nothing has all of these words." : `${found.length} found`}
      </p>
      <ul onKeyDown={onKeyDown}>
        {found.map((place) => (
          <li key={`${place.kind} ${place.name} ${place.href}`}>
            <Link href={place.href} className="reference-hit" onClick={() => choose(place.href)}>
              <span className="reference-hit-name">{place.name}</span>
              <span className="reference-hit-kind">{place.kind}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const searchField = () => document.querySelector<HTMLElement>("#reference-search");
const resultLinks = () => [...document.querySelectorAll<HTMLElement>(".reference-hit")];
