import { type ComponentProps, useEffect, useRef } from "react";

/**
 * Form that leads to the first field that is wrong after a refusal: users who cannot see the messages hear which field it is.
 *
 * @param refusal why the form was refused, here or by the API: another object each time, null or undefined where it was not.
 */
export function Form({ refusal, ...form }: { refusal: object | null | undefined } & ComponentProps<"form">) {
  const element = useRef<HTMLFormElement>(null);
  // An earlier refusal may be there again, when a later one is corrected: that moves no focus.
  const handled = useRef(new WeakSet<object>());
  useEffect(() => {
    if (!refusal || handled.current.has(refusal)) return;
    handled.current.add(refusal);
    focusInvalidField(element.current);
  }, [refusal]);
  return <form {...form} ref={element} />;
}

/** Focuses the first field of a form that is marked as wrong, and unfolds what hides it. @returns whether there is one. */
export function focusInvalidField(form: HTMLFormElement | null): boolean {
  const field = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  if (!field) return false;
  field.closest("details")?.setAttribute("open", "");
  // A group of checkboxes or buttons has no focus of its own, but its first one has.
  const control = field.matches("input, select, textarea")
    ? field
    : field.querySelector<HTMLElement>("[role=checkbox], button");
  (control ?? field).focus();
  return true;
}
