import { Choice } from "../components/choice.tsx";
import { Icon } from "../components/icon.tsx";
import { chooseTheme, useTheme } from "../theme.ts";

const themes = [
  { value: "system", name: "Colours of the system", content: <Icon name="system" size={14} /> },
  { value: "light", name: "Light", content: <Icon name="sun" size={14} /> },
  { value: "dark", name: "Dark", content: <Icon name="moon" size={14} /> },
] as const;

/** Light, dark, or as the system is. */
export function ThemeChoice() {
  return <Choice label="Colours" value={useTheme()} options={themes} onChange={chooseTheme} />;
}
