import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { type Dataset, datasets, parametersOf } from "./datasets.ts";
import { addEntry } from "./history.ts";
import { nameText } from "./parameters.ts";
import type { ExplorerForm } from "./request.ts";

/** Debounce: time without a change after which the form is written to the address. Browsers refuse to write it at each key. */
const pauseMs = 300;

/** The form as the query of an address: `dataset=grants&search=water`. Without the key, and without parameters that the dataset does not take. */
export function addressOf({ dataset, values }: ExplorerForm): string {
  const { main, more } = parametersOf[dataset];
  const given = [...main, ...more].flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []));
  return new URLSearchParams([["dataset", dataset], ...given]).toString();
}

/** The form that an address has, or undefined. Values of a parameter that is repeated, as in a request, are in its one field. */
export function formAt(search: string): ExplorerForm | undefined {
  const parameters = new URLSearchParams(search);
  const dataset = datasets.find(({ value }) => value === parameters.get("dataset"))?.value;
  if (dataset === undefined) return undefined;
  parameters.delete("dataset");
  const values = [...new Set(parameters.keys())].map((name) => [name, textOf(dataset, name, parameters.getAll(name))]);
  return { dataset, values: Object.fromEntries(values) };
}

function textOf(dataset: Dataset, name: string, given: readonly string[]): string {
  if (given.length === 1) return given[0] ?? "";
  const { main, more } = parametersOf[dataset];
  const isNames = [...main, ...more].some((one) => one.name === name && one.type === "names");
  return isNames ? given.map(nameText).join(" | ") : given.join(",");
}

/**
 * State of the form that is kept in the address, so that a reload, a bookmark and a link have it; and `enter`, which makes a form that is sent
 * an entry of the browser's history and returns its id.
 */
export function useFormInAddress(example: ExplorerForm) {
  // As the address has it. What wouter itself returns is decoded, and would not equal what was written.
  const search = useSearch().slice(1);
  const [, navigate] = useLocation();
  const [form, setForm] = useState(() => formAt(search) ?? example);
  const written = useRef(search);

  // From the form to the address, also to one without a form: a link to the page leaves what was filled in.
  useEffect(() => {
    const address = addressOf(form);
    if (form === example || address === search) return;
    const timer = setTimeout(() => {
      written.current = address;
      navigate(`/explorer?${address}`, { replace: true, state: history.state });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [form, example, search, navigate]);

  // From an address that was not written here, such as the browser's history, to the form.
  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    const given = formAt(search);
    if (given !== undefined) setForm(given);
  }, [search]);

  const enter = useCallback((next: ExplorerForm): string => {
    const address = addressOf(next);
    written.current = address;
    setForm(next);
    return addEntry(address);
  }, []);

  return [form, setForm, enter] as const;
}
