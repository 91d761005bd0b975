import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { isMac, shortcutOf, takesLetters } from "./shortcut.ts";

// Few visits need it, and its list is larger than the page's frame.
const Palette = lazy(() => import("./palette.tsx"));

/** The palette, closed until a shortcut or `open` opens it. `/` goes to the search field of a page that has one. */
export function usePalette(): { open: () => void; palette: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = event.defaultPrevented ? undefined : shortcutOf(event, takesLetters(event.target), isMac());
      if (shortcut === undefined) return;
      // Ctrl+K is a shortcut of browsers as well.
      event.preventDefault();
      // A dialog holds what was begun in it. The palette is one, too.
      if (document.querySelector(".dialog, .drawer, .palette") !== null) return;
      const field = shortcut === "search" ? searchField() : undefined;
      if (field === undefined) setOpen(true);
      else {
        field.focus();
        field.select();
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return {
    open: () => setOpen(true),
    palette: isOpen && (
      <Suspense fallback={null}>
        <Palette onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}

/** The search field of the page, if it has one in view. */
function searchField(): HTMLInputElement | undefined {
  const fields = document.querySelectorAll<HTMLInputElement>("#content input[data-search-field]");
  return [...fields].find((field) => field.checkVisibility());
}
