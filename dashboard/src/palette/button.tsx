import { Icon } from "../components/icon.tsx";
import { isMac } from "./shortcut.ts";

/** Button that opens the palette: in the sidebar with its shortcut, on a phone as an icon. */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      className="button button-secondary palette-button"
      aria-keyshortcuts={isMac() ? "Meta+K" : "Control+K"}
      onClick={onOpen}
    >
      <Icon name="search" />
      <span className="palette-button-text">
        Search<span className="visually-hidden"> everything</span>
      </span>
      <span aria-hidden="true" className="palette-button-keys">
        {isMac() ? "⌘K" : "Ctrl K"}
      </span>
    </button>
  );
}
