import { useState } from "react";
import { type Digest, type DigestDraft, type SavedSearch, useSetDigest } from "../api/saved-searches.ts";
import { Badge } from "../components/badge.tsx";
import { SelectField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useFieldErrors } from "../components/form-error.tsx";
import { formatDateTime } from "../format/dates.ts";

const frequencies = [
  ["off", "Never"],
  ["daily", "Every day"],
  ["weekly", "Every week"],
] as const;
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const weekdayOptions = weekdays.map((day) => [day, nameOf(day)] as const);
const hourOptions = Array.from({ length: 24 }, (_, hour) => [String(hour), formatHour(hour)] as const);

/** Sets when what is new is sent by e-mail, or that it is not. */
export function DigestDialog({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const { digest } = search;
  const [frequency, setFrequency] = useState<Digest["frequency"] | "off">(digest?.frequency ?? "daily");
  const [weekday, setWeekday] = useState(digest?.weekday ?? "monday");
  const [hour, setHour] = useState(digest?.hour ?? 8);
  const [timeZone, setTimeZone] = useState(digest?.time_zone ?? ownTimeZone());
  const set = useSetDigest(search.id);
  const { errors, forget } = useFieldErrors(set.error);
  const submit = () => {
    const draft: DigestDraft | null =
      frequency === "off"
        ? null
        : { frequency, weekday: frequency === "weekly" ? weekday : null, hour, time_zone: timeZone };
    set.mutate(draft, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={`E-mails about ${search.name}`}
      description="What is new, to your account’s address. Nothing is sent when nothing is new."
      change={set}
      known={["digest.frequency", "digest.weekday", "digest.hour", "digest.time_zone"]}
      submitName="Save"
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Send"
        options={frequencies}
        value={frequency}
        onChange={({ target }) => setFrequency(target.value as typeof frequency)}
        error={errors["digest.frequency"]}
      />
      {frequency === "weekly" && (
        <SelectField
          label="Day"
          options={weekdayOptions}
          value={weekday}
          onChange={({ target }) => setWeekday(target.value as typeof weekday)}
          error={errors["digest.weekday"]}
        />
      )}
      {frequency !== "off" && (
        <>
          <SelectField
            label="Time"
            options={hourOptions}
            value={String(hour)}
            onChange={({ target }) => setHour(Number(target.value))}
            error={errors["digest.hour"]}
          />
          <SelectField
            label="Time zone"
            options={timeZoneOptions(timeZone)}
            value={timeZone}
            onChange={({ target }) => {
              setTimeZone(target.value);
              forget("digest.time_zone");
            }}
            error={errors["digest.time_zone"]}
          />
        </>
      )}
    </FormDialog>
  );
}

/** When the next digest of a search is due, and whether the last one failed. */
export function DigestState({ digest }: { digest: SavedSearch["digest"] }) {
  if (digest === null) return <span className="muted">None</span>;
  const { frequency, weekday, next_at, last_sent_at, last_failed_at, paused_at } = digest;
  const hasFailed = last_failed_at !== null && (last_sent_at === null || last_failed_at > last_sent_at);
  return (
    <span className="saved-search-digest">
      <span>{frequency === "daily" || weekday === null ? "Daily" : `${nameOf(weekday)}s`}</span>
      {paused_at === null && <span className="muted small">Next on {formatDateTime(next_at)}</span>}
      {paused_at !== null ? (
        <span title={formatDateTime(paused_at)}>
          <Badge tone="bad">Paused: mail to your address was refused three times. Save it again to go on</Badge>
        </span>
      ) : hasFailed ? (
        <span title={formatDateTime(last_failed_at)}>
          <Badge tone="bad">The last one may not have arrived</Badge>
        </span>
      ) : null}
    </span>
  );
}

/** Time zones that the browser knows, UTC, and the chosen one. */
function timeZoneOptions(chosen: string): (readonly [string, string])[] {
  const zones = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ownTimeZone(), chosen]);
  return [...zones].sort().map((zone) => [zone, zone.replaceAll("_", " ")]);
}

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function nameOf(day: string): string {
  return `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
}

/** 8:00 AM */
function formatHour(hour: number): string {
  return new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone: "UTC" }).format(new Date(hour * 3_600_000));
}
