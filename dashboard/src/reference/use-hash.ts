import { useLocationProperty } from "wouter/use-browser-location";

/** The address's fragment with its `#`, as it is now. */
export function useHash(): string {
  return useLocationProperty(
    () => location.hash,
    () => "",
  );
}
