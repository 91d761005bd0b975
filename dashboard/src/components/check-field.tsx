import { Checkbox } from "@base-ui/react/checkbox";
import { type ReactNode, useId } from "react";
import { Icon } from "./icon.tsx";
import "./field.css";

/** Checkbox with its label. */
export function CheckField({
  label,
  isChecked,
  onChange,
}: {
  label: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="check">
      <Checkbox.Root className="check-box" checked={isChecked} onCheckedChange={onChange} aria-labelledby={id}>
        <Checkbox.Indicator render={<Icon name="check" size={12} />} />
      </Checkbox.Root>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the checkbox handles the keyboard */}
      <span id={id} onClick={() => onChange(!isChecked)}>
        {label}
      </span>
    </div>
  );
}
