/** Scrolls to the element of a fragment, which the browser looked for before it was there, and moves the focus to its link. */
export function showAnchor(hash: string): void {
  if (hash === "") return;
  const element = document.getElementById(decodeURIComponent(hash.slice(1)));
  element?.scrollIntoView();
  if (document.activeElement !== document.body) element?.querySelector("a")?.focus({ preventScroll: true });
}
