import { useId, useState } from "react";
import { eventNames } from "../../../shared/webhooks/events.ts";
import type { Webhook } from "../api/webhooks.ts";
import { CheckField } from "../components/check-field.tsx";
import { TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { errorWithin, useFieldErrors } from "../components/form-error.tsx";
import { inline } from "../components/inline.tsx";
import { DeadlinePreview } from "./deadline-preview.tsx";
import {
  type Dataset,
  datasetsOf,
  draftOf,
  type FilterForm,
  formOf,
  hasDeadlines,
  hasUpdates,
  prefilledForm,
  type WebhookDraft,
  type WebhookPrefill,
} from "./draft.ts";
import { FilterField } from "./filter-field.tsx";
import { UpdateFields } from "./update-fields.tsx";

/** Form to create or change a webhook. */
export function WebhookForm({
  title,
  submitName,
  webhook,
  prefill,
  saving,
  onSave,
  onClose,
}: {
  title: string;
  submitName: string;
  /** The webhook to change, as it was when the form opened; undefined for a new one. */
  webhook?: Webhook;
  /** Initial state of a new webhook's form. */
  prefill?: WebhookPrefill | undefined;
  /** State of the mutation. */
  saving: { isPending: boolean; error: Error | null };
  onSave: (draft: WebhookDraft) => void;
  onClose: () => void;
}) {
  const [form, setForm] = useState(() => (prefill === undefined ? formOf(webhook) : prefilledForm(prefill)));
  /** Error of a choice of fields that has none, and was not sent. */
  const [missingFields, setMissingFields] = useState<{ message: string }>();
  const { errors, forget } = useFieldErrors(saving.error);
  const eventsError = errorWithin(errors, "events");
  const eventsErrorId = useId();
  const used = datasetsOf(form.events);
  const draft = draftOf(form, webhook);

  /** Changes the form as it is by then, and drops the messages about a field. Two changes may come before the form is drawn again. */
  const change = (changes: Partial<typeof form> | ((current: typeof form) => Partial<typeof form>), field: string) => {
    setForm((current) => ({ ...current, ...(typeof changes === "function" ? changes(current) : changes) }));
    setMissingFields(undefined);
    forget(field);
  };
  const changeFilter = (dataset: Dataset, filter: FilterForm) =>
    change(({ filters }) => ({ filters: { ...filters, [dataset]: filter } }), `filters.${dataset}`);
  const submit = () => {
    // The API takes no fields for all fields, which is not what an empty choice means.
    const isMissing = hasUpdates(form.events) && form.updates === "chosen" && form.chosenFields.length === 0;
    setMissingFields(isMissing ? { message: "choose at least one field" } : undefined);
    if (!isMissing) onSave(draft);
  };
  return (
    <FormDialog
      title={title}
      change={saving}
      refusal={missingFields}
      known={[
        ...["url", "description", "events", "deadline_days", "updated_fields", "expand"],
        ...used.map((dataset) => `filters.${dataset}`),
      ]}
      mayHaveWorked="It may have been saved anyway. Check the list."
      submitName={submitName}
      busyName="Saving…"
      isSticky
      isWide
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        type="url"
        placeholder="https://hooks.example.org/funding"
        value={form.url}
        onValueChange={(url) => change({ url }, "url")}
        autoComplete="off"
        autoFocus
        error={errorWithin(errors, "url")}
      />
      <TextField
        label="Description"
        description="Optional: your own name for it."
        value={form.description}
        onValueChange={(description) => change({ description }, "description")}
        maxLength={200}
        autoComplete="off"
        error={errorWithin(errors, "description")}
      />
      <fieldset
        className="events"
        aria-invalid={eventsError === undefined ? undefined : true}
        aria-describedby={eventsError === undefined ? undefined : eventsErrorId}
      >
        <legend className="field-label">Events</legend>
        {eventNames.map((name) => (
          <CheckField
            key={name}
            label={<code>{name}</code>}
            isChecked={form.events.includes(name)}
            onChange={(isChecked) =>
              change(
                ({ events }) => ({
                  events: isChecked ? [...events, name] : events.filter((other) => other !== name),
                }),
                "events",
              )
            }
          />
        ))}
        <ErrorText text={eventsError} id={eventsErrorId} />
      </fieldset>
      {used.map((dataset) => (
        <FilterField
          key={dataset}
          dataset={dataset}
          filter={form.filters[dataset]}
          onChange={(filter) => changeFilter(dataset, filter)}
          error={errorWithin(errors, `filters.${dataset}`)}
        />
      ))}
      {hasDeadlines(form.events) && (
        <>
          <TextField
            label="Days before a deadline"
            description="Up to ten numbers, separated by commas."
            value={form.days}
            onValueChange={(days) => change({ days }, "deadline_days")}
            inputMode="numeric"
            autoComplete="off"
            error={errorWithin(errors, "deadline_days")}
          />
          <DeadlinePreview
            settings={{
              ...(webhook && { id: webhook.id }),
              events: draft.events,
              filters: draft.filters,
              deadline_days: draft.deadline_days,
            }}
          />
        </>
      )}
      {hasUpdates(form.events) && (
        <UpdateFields
          choice={form.updates}
          fields={form.chosenFields}
          onChange={(updates, chosenFields) => change({ updates, chosenFields }, "updated_fields")}
          error={missingFields?.message ?? errorWithin(errors, "updated_fields")}
        />
      )}
      <div className="stack-small">
        <CheckField
          label="Send records with their details"
          isChecked={form.hasDetails}
          onChange={(hasDetails) => change({ hasDetails }, "expand")}
        />
        <p className="muted small">
          Adds who may apply, the agency, documents and more. Changes of these details alone are sent, too.
        </p>
        <ErrorText text={errorWithin(errors, "expand")} />
      </div>
    </FormDialog>
  );
}

function ErrorText({ text, id }: { text: string | undefined; id?: string }) {
  return text === undefined ? null : (
    <p className="field-error" id={id}>
      {inline(text)}
    </p>
  );
}
