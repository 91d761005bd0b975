import { type FormEvent, useState } from "react";
import { eventNames } from "../../../shared/webhooks/events.ts";
import type { EventName, Webhook, WebhookDraft } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { CheckField } from "../components/check-field.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { FormError, fieldErrors } from "../components/form-error.tsx";

const datasets = ["grants", "contracts", "funders"] as const;
const examples = { grants: "search=water&states=OH", contracts: "set_aside=HUBZone", funders: "search=health" };

/** Form to create or change a webhook. */
export function WebhookForm({
  title,
  submitName,
  webhook,
  saving,
  onSave,
  onClose,
}: {
  title: string;
  submitName: string;
  /** The webhook to change; undefined for a new one. */
  webhook?: Webhook;
  /** State of the mutation. */
  saving: { isPending: boolean; error: Error | null };
  onSave: (draft: WebhookDraft) => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [events, setEvents] = useState<readonly EventName[]>(webhook?.events ?? ["grant.created"]);
  const [filters, setFilters] = useState<Readonly<Record<string, string>>>(webhook?.filters ?? {});
  const [days, setDays] = useState((webhook?.deadline_days ?? [7]).join(", "));
  const errors = fieldErrors(saving.error);
  const used = datasets.filter((dataset) => events.some((event) => event.startsWith(dataset.slice(0, -1))));
  const hasDeadlines = events.some((event) => event.endsWith("deadline_approaching"));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving.isPending) return;
    const given = Object.entries(filters).filter(
      ([dataset, query]) => query !== "" && used.some((name) => name === dataset),
    );
    onSave({
      url: url.trim(),
      description,
      events: [...events],
      filters: Object.fromEntries(given),
      deadline_days: days
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(Number),
    });
  };
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <TextField
          label="Address"
          type="url"
          placeholder="https://hooks.example.org/funding"
          value={url}
          onValueChange={setUrl}
          autoComplete="off"
          autoFocus
          error={errors.url}
        />
        <TextField
          label="Description"
          description="Optional: your own name for it."
          value={description}
          onValueChange={setDescription}
          maxLength={200}
          autoComplete="off"
          error={errors.description}
        />
        <fieldset className="events">
          <legend className="field-label">Events</legend>
          {eventNames.map((name) => (
            <CheckField
              key={name}
              label={<code>{name}</code>}
              isChecked={events.includes(name)}
              onChange={(isChecked) =>
                setEvents(isChecked ? [...events, name] : events.filter((other) => other !== name))
              }
            />
          ))}
          {errors.events !== undefined && <p className="field-error">{errors.events}</p>}
        </fieldset>
        {hasDeadlines && (
          <TextField
            label="Days before a deadline"
            description="Up to ten numbers, separated by commas."
            value={days}
            onValueChange={setDays}
            inputMode="numeric"
            autoComplete="off"
            error={errorWithin(errors, "deadline_days")}
          />
        )}
        {used.map((dataset) => (
          <TextField
            key={dataset}
            label={`Only ${dataset} that match`}
            description="Query string of the list endpoint. Leave it empty for all records."
            placeholder={examples[dataset]}
            value={filters[dataset] ?? ""}
            onValueChange={(query) => setFilters({ ...filters, [dataset]: query })}
            autoComplete="off"
            spellCheck={false}
            error={errorWithin(errors, `filters.${dataset}`)}
          />
        ))}
        <FormError
          error={saving.error}
          known={Object.keys(errors).filter((name) =>
            /^(url|description|events|deadline_days|filters\.\w+)/.test(name),
          )}
          mayHaveWorked="It may have been saved anyway. Check the list."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={saving.isPending}>
            {saving.isPending ? "Saving…" : submitName}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Error of a field or of a part of it: `filters.grants.states` is a part of `filters.grants`. */
function errorWithin(errors: Partial<Record<string, string>>, field: string): string | undefined {
  for (const [name, message] of Object.entries(errors)) {
    if (name === field) return message;
    if (name.startsWith(`${field}.`)) return `${name.slice(field.length + 1)} ${message}`;
  }
  return undefined;
}
