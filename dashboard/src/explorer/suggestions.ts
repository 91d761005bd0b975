import { useEffect, useRef, useState } from "react";
import type { Suggestion } from "../../../shared/responses/suggestions.ts";
import { useDeployment } from "../session/context.tsx";
import type { Dataset } from "./datasets.ts";
import { useSendWithKey } from "./send-with-key.ts";

type Kind = Suggestion["kind"];

/** Filters whose values are completed, with the kind of suggestions that has them. Those that exclude have the same. */
const kinds: Partial<Record<string, Kind>> = {
  agency: "agency",
  category: "category",
  funder_id: "funder",
  assistance_listing: "assistance_listing",
  naics: "naics",
  psc: "psc",
  set_aside: "set_aside",
};

/** Kind of the suggestions that complete a parameter; undefined where none do. */
export function suggestedKind(parameter: string): Kind | undefined {
  return kinds[parameter.replace(/^exclude_/, "")];
}

/** A value of several in a field, by where it stands. */
export interface Part {
  start: number;
  end: number;
  /** Its text, without spaces around it. */
  text: string;
}

/** The value around a position of a field's text. */
export function partAt(text: string, position: number, separator: string): Part {
  const start = text.slice(0, position).lastIndexOf(separator) + 1;
  const next = text.indexOf(separator, position);
  const end = next === -1 ? text.length : next;
  return { start, end, text: text.slice(start, end).trim() };
}

/** The text with another value in place of one. */
export function withPart(text: string, { start, end }: Part, value: string, separator: string): string {
  const space = separator === "|" ? " " : "";
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end).trimStart();
  return `${before}${before === "" ? "" : space}${value}${after === "" ? "" : space}${after}`;
}

/** A suggestion for a dataset. */
export interface DatasetSuggestion {
  value: string;
  label: string;
  /** Its current records in the dataset. */
  records: number;
}

/** Letters from which on suggestions are asked for. */
const leastLetters = 2;
/** Time without another letter before a request, in milliseconds. Each counts towards the quota. */
const pauseMs = 200;
const timeoutMs = 5_000;

/** Suggestions for what is typed; none meanwhile, and none where they cannot be had: they are a help alone. */
export function useSuggestions(kind: Kind, dataset: Dataset, typed: string): readonly DatasetSuggestion[] {
  const { config } = useDeployment();
  const sendWithKey = useSendWithKey();
  const latest = useRef(sendWithKey);
  latest.current = sendWithKey;
  const [found, setFound] = useState<{ typed: string; results: readonly Suggestion[] }>();
  useEffect(() => {
    if (typed.length < leastLetters) return;
    const stop = new AbortController();
    const query = new URLSearchParams({ q: typed.slice(0, 100), kinds: kind });
    const ask = async () => {
      const request = { method: "GET", url: `${config.base_url}/suggest?${query}` } as const;
      const { status, body } = await latest.current(request, stop.signal, timeoutMs);
      if (status === 200 && !stop.signal.aborted)
        setFound({ typed, results: (body as { results: Suggestion[] }).results });
    };
    const timer = setTimeout(() => ask().catch(() => undefined), pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [typed, kind, config.base_url]);
  if (dataset === "semantic" || found?.typed !== typed) return [];
  return found.results.flatMap(({ value, label, datasets }) => {
    const records = datasets[dataset];
    return records === undefined ? [] : [{ value, label, records }];
  });
}
