import { useSyncExternalStore } from "react";
import { browserStorage } from "./storage.ts";

/** Chosen theme: the system's, or always one of the two. */
export type Theme = "system" | "light" | "dark";

const storageKey = "theme";
const listeners = new Set<() => void>();

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** Changes the theme, and stores it for the next visit (public/theme.js reads it). */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    browserStorage.removeItem(storageKey);
  } else {
    document.documentElement.dataset.theme = theme;
    browserStorage.setItem(storageKey, theme);
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentTheme,
    () => "system",
  );
}
