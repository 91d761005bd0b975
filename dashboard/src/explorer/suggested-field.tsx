import { Autocomplete } from "@base-ui/react/autocomplete";
import { Field } from "@base-ui/react/field";
import { useState } from "react";
import { FieldHead, Notes } from "../components/field.tsx";
import { formatCount } from "../format/numbers.ts";
import type { Dataset } from "./datasets.ts";
import type { Parameter } from "./parameters.ts";
import {
  type DatasetSuggestion,
  type Part,
  partAt,
  type suggestedKind,
  useSuggestions,
  withPart,
} from "./suggestions.ts";
import "./suggested-field.css";

const nothing: Part = { start: 0, end: 0, text: "" };

/** Text field of a filter that is completed as one types. Of several values, the one at the caret is. */
export function SuggestedField({
  parameter: { name, label, type, placeholder },
  kind,
  dataset,
  value,
  onChange,
  error,
}: {
  parameter: Parameter;
  kind: NonNullable<ReturnType<typeof suggestedKind>>;
  dataset: Dataset;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const separator = type === "names" ? "|" : ",";
  /** What is being typed. Nothing after a choice, and where the field was filled by a link. */
  const [part, setPart] = useState(nothing);
  /** Names of values that were chosen and are codes. */
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const others = `${value.slice(0, part.start)}${separator}${value.slice(part.end)}`.split(separator);
  const suggestions = useSuggestions(kind, dataset, part.text).filter(
    (suggestion) => !others.some((other) => other.trim() === suggestion.value),
  );
  const [isOpen, setOpen] = useState(false);
  const chosen = value.split(separator).flatMap((one) => names[one.trim()] ?? []);
  const completed = (suggestion: DatasetSuggestion) => withPart(value, part, suggestion.value, separator);
  return (
    <Field.Root className="field" invalid={error !== undefined}>
      <FieldHead label={label} apiName={name} />
      <Autocomplete.Root
        items={suggestions}
        filter={null}
        itemToStringValue={completed}
        value={value}
        onValueChange={(text, { reason, event }) => {
          onChange(text);
          const taken = reason === "item-press" ? suggestions.find((one) => completed(one) === text) : undefined;
          if (taken !== undefined && taken.label !== taken.value) {
            setNames((before) => ({ ...before, [taken.value]: taken.label }));
          }
          const input = event.target;
          const isTyped = reason === "input-change" && input instanceof HTMLInputElement;
          setPart(isTyped ? partAt(text, input.selectionStart ?? text.length, separator) : nothing);
        }}
        open={isOpen && suggestions.length > 0}
        onOpenChange={(next, { reason }) => setOpen(next && reason === "input-change")}
      >
        <Autocomplete.Input
          className="control"
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          // An answer that comes later must not open a list beside another field.
          onBlur={() => setPart(nothing)}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner className="menu-positioner" sideOffset={4} align="start">
            <Autocomplete.Popup className="suggestions">
              <Autocomplete.Status className="visually-hidden">
                {suggestions.length === 1 ? "One suggestion" : `${suggestions.length} suggestions`}
              </Autocomplete.Status>
              <Autocomplete.List aria-label={`Suggestions for ${label}`}>
                {(suggestion: DatasetSuggestion) => (
                  <Autocomplete.Item key={suggestion.value} value={suggestion} className="suggestion">
                    <span className="suggestion-label">{suggestion.label}</span>
                    <span className="muted small">
                      {formatCount(suggestion.records)}
                      <span className="visually-hidden"> current records</span>
                    </span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <Notes description={chosen.length > 0 ? chosen.join("; ") : undefined} error={error} />
    </Field.Root>
  );
}
