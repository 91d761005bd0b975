import { Toggle } from "@base-ui/react/toggle";
import { ToggleGroup } from "@base-ui/react/toggle-group";
import { type ReactNode, useId } from "react";
import { inline } from "./inline.tsx";
import "./field.css";
import "./set-field.css";

/** Group of buttons of which any number are chosen. */
export function SetField({
  label,
  apiName,
  description,
  options,
  value,
  onChange,
  error,
}: {
  label: string;
  /** Name of the field in the API, which is shown beside the label. */
  apiName?: string | undefined;
  description?: ReactNode;
  options: readonly (readonly [value: string, name: string])[];
  value: readonly string[];
  onChange: (value: string[]) => void;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <div className="field set-field">
      <div className="field-head">
        <span className="field-label" id={id}>
          {label}
        </span>
        {apiName !== undefined && <code className="field-api-name">{apiName}</code>}
      </div>
      <ToggleGroup
        className="set-options"
        aria-labelledby={id}
        aria-describedby={
          [description !== undefined && `${id}-description`, error !== undefined && `${id}-error`]
            .filter(Boolean)
            .join(" ") || undefined
        }
        aria-invalid={error === undefined ? undefined : true}
        multiple
        value={value}
        // In the order of the options, whatever the order in which they were chosen.
        onValueChange={(chosen) => onChange(options.map(([each]) => each).filter((each) => chosen.includes(each)))}
      >
        {options.map(([each, name]) => (
          <Toggle key={each} value={each} className="set-option">
            {name}
          </Toggle>
        ))}
      </ToggleGroup>
      {description !== undefined && (
        <div className="muted small" id={`${id}-description`}>
          {description}
        </div>
      )}
      {error !== undefined && (
        <div className="field-error" id={`${id}-error`}>
          {inline(error)}
        </div>
      )}
    </div>
  );
}
