import { useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { type Dataset, datasets, parametersOf } from "./datasets.ts";
import type { ExplorerForm } from "./request.ts";

/** Debounce: time without a change after which the form is written to the address. Browsers refuse to write it at each key. */
const pauseMs = 300;

/** The form as the query of an address: `dataset=grants&search=water`. Without the key, and without parameters that the dataset does not take. */
export function addressOf({ dataset, values }: ExplorerForm): string {
  const { main, more } = parametersOf[dataset];
  const given = [...main, ...more].flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []));
  return new URLSearchParams([["dataset", dataset], ...given]).toString();
}

/** The form that an address has, or undefined. */
export function formAt(search: string): ExplorerForm | undefined {
  const parameters = new URLSearchParams(search);
  const dataset = parameters.get("dataset");
  if (!datasets.some(({ value }) => value === dataset)) return undefined;
  parameters.delete("dataset");
  return { dataset: dataset as Dataset, values: Object.fromEntries(parameters) };
}

/** State of the form that is kept in the address, so that a reload, a bookmark and a link have it. */
export function useFormInAddress(example: ExplorerForm) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const [form, setForm] = useState(() => formAt(search) ?? example);
  const written = useRef(search);

  // From the form to the address, also to one without a form: a link to the page leaves what was filled in.
  useEffect(() => {
    const address = addressOf(form);
    if (form === example || address === search) return;
    const timer = setTimeout(() => {
      written.current = address;
      navigate(`/explorer?${address}`, { replace: true });
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

  return [form, setForm] as const;
}
