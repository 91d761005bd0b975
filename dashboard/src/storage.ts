/** The part of the browser's storage that the page uses. */
export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Storage of this browser: for the next visit, and for all tabs. */
export const browserStorage = withMemory(() => localStorage);
/** Storage of this tab: for reloads, and for the way back from another site. */
export const tabStorage = withMemory(() => sessionStorage);

/**
 * Storage that keeps in memory what the browser does not take: it is full, or the user blocks site data, where even naming it throws.
 *
 * @param open returns the browser's storage, or throws.
 */
export function withMemory(open: () => TextStorage): TextStorage {
  const memory = new Map<string, string>();
  return {
    getItem(name) {
      const kept = memory.get(name);
      if (kept !== undefined) return kept;
      try {
        return open().getItem(name);
      } catch {
        return null;
      }
    },
    setItem(name, value) {
      try {
        open().setItem(name, value);
        memory.delete(name);
      } catch {
        memory.set(name, value);
      }
    },
    removeItem(name) {
      memory.delete(name);
      try {
        open().removeItem(name);
      } catch {
        // It keeps nothing.
      }
    },
  };
}
