import { Toggle } from "@base-ui/react/toggle";
import { ToggleGroup } from "@base-ui/react/toggle-group";
import type { ReactNode } from "react";
import "./choice.css";

/** Segmented control: a few values side by side, of which one is chosen. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; name: string; content?: ReactNode }[];
  onChange: (value: Value) => void;
}) {
  return (
    <ToggleGroup
      className="choice"
      aria-label={label}
      value={[value]}
      onValueChange={([chosen]) => {
        if (chosen !== undefined) onChange(chosen as Value);
      }}
    >
      {options.map(({ value, name, content }) => (
        <Toggle
          key={value}
          value={value}
          className="choice-item"
          aria-label={name}
          title={content === undefined ? undefined : name}
        >
          {content ?? name}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
