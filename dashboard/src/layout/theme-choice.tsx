import { Choice } from "../components/choice.tsx";
import { Icon } from "../components/icon.tsx";
import { chooseTheme, useTheme } from "../theme.ts";

const themes = [
  { value: "system", name: "System colours", content: <Icon name="system" size={14} /> },
  { value: "light", name: "Light", content: <Icon name="sun" size={14} /> },
  { value: "dark", name: "Dark", content: <Icon name="moon" size={14} /> },
] as const;

/** Choice of the theme: light, dark, or the system's. */
export function ThemeChoice() {
  return <Choice label="Colours" value={useTheme()} options={themes} onChange={chooseTheme} />;
}
