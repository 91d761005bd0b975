import { Menu as BaseMenu } from "@base-ui/react/menu";
import { Icon, type IconName } from "./icon.tsx";
import "./menu.css";

export interface MenuEntry {
  name: string;
  icon: IconName;
  isDangerous?: boolean;
  onSelect: () => void;
}

/** Menu of actions behind a button. */
export function Menu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger className="button button-quiet button-square" aria-label={label}>
        <Icon name="more" />
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className="menu-positioner" align="end" sideOffset={4}>
          <BaseMenu.Popup className="menu">
            {entries.map(({ name, icon, isDangerous, onSelect }) => (
              <BaseMenu.Item
                key={name}
                className={isDangerous ? "menu-item menu-item-danger" : "menu-item"}
                onClick={onSelect}
              >
                <Icon name={icon} />
                {name}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
