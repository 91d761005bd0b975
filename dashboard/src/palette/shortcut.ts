/** What a key press asks for: a palette of everything, or the search of the page. */
export type Shortcut = "palette" | "search";

/** The part of a keyboard event that decides. */
export type Press = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat" | "isComposing"
>;

/**
 * The shortcut that a key press is, or undefined: Ctrl+K (on a Mac ⌘K, where Ctrl+K edits text), and `/` where no text is typed.
 *
 * @param isTyping whether a field or a menu has the focus, which takes letters.
 */
export function shortcutOf(press: Press, isTyping: boolean, isMac: boolean): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = press;
  if (repeat || isComposing || altKey) return undefined;
  const [wanted, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (key.toLowerCase() === "k") return wanted && !other && !shiftKey ? "palette" : undefined;
  // Some keyboards have it above another key, with Shift.
  return key === "/" && !ctrlKey && !metaKey && !isTyping ? "search" : undefined;
}

/** Whether letters typed in an element are its own: those of fields, and of menus and lists, which look for them. */
export function takesLetters(element: EventTarget | null): boolean {
  return (
    element instanceof Element &&
    element.closest("input, textarea, select, [contenteditable], [role=menu], [role=listbox]") !== null
  );
}

/** Whether the keyboard is a Mac's. */
export const isMac = () => /^(Mac|iPhone|iPad)/.test(navigator.platform);
