import type { ReactNode } from "react";
import { Icon } from "../components/icon.tsx";
import type { AnyRecord } from "./body.ts";

/** All fields of one record, by their names in the API; those of details after them. */
export function RecordFields({ record }: { record: AnyRecord }) {
  const { details, title, name, ...fields } = record;
  return (
    <article className="record">
      <h3 className="record-title">{title ?? name}</h3>
      <FieldList fields={fields} />
      {details !== undefined && (
        <>
          <h4>
            <code>details</code>
          </h4>
          <FieldList fields={details} />
        </>
      )}
    </article>
  );
}

function FieldList({ fields }: { fields: object }) {
  return (
    <dl className="record-fields">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function shown(value: unknown): ReactNode {
  if (value === null) return <span className="muted">null</span>;
  if (Array.isArray(value) && value.length === 0) return <span className="muted">none</span>;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  if (typeof value === "object") return <code>{JSON.stringify(value)}</code>;
  const text = String(value);
  if (!/^https?:\/\//.test(text)) return text;
  return (
    <a href={text} target="_blank" rel="noreferrer">
      {text} <Icon name="external" size={12} />
    </a>
  );
}
