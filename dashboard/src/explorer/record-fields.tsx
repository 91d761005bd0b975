import type { ReactNode } from "react";
import type { OpportunityDetails } from "../../../shared/responses/details.ts";
import { Icon } from "../components/icon.tsx";
import { formatBytes } from "../format/numbers.ts";
import type { AnyRecord } from "./body.ts";
import type { Dataset } from "./datasets.ts";
import { RecordLink } from "./record-link.tsx";
import { linkWords, RecordStatus } from "./status.tsx";

type Open = (dataset: Dataset, id: string) => void;

/** All fields of one record, by their names in the API; those of details after them. */
export function RecordFields({ record, dataset, onOpen }: { record: AnyRecord; dataset: Dataset; onOpen: Open }) {
  const { details, title, name, ...fields } = record;
  const special: Specials = {
    funder_name: (value) =>
      record.funder_id === undefined ? undefined : (
        <RecordLink dataset="funders" id={record.funder_id} onOpen={onOpen}>
          {String(value)}
        </RecordLink>
      ),
    status: (value) => <RecordStatus status={String(value)} />,
    link_status: (value) => linkWords[String(value)],
    documents: (value) => <Documents documents={value as readonly RecordDocument[]} />,
    same_as: (value) => (
      <ul className="record-values">
        {(value as OpportunityDetails["same_as"]).map(({ id, by, is_listed }) => (
          <li key={id}>
            <RecordLink dataset={dataset} id={id} onOpen={onOpen}>
              {by === "notice" ? "Another notice of the source" : "The same from another source"}
            </RecordLink>
            {is_listed && <span className="muted"> (shown in lists)</span>}
          </li>
        ))}
      </ul>
    ),
  };
  return (
    <article className="record">
      <h3 className="record-title">{title ?? name}</h3>
      <FieldList fields={fields} special={special} />
      {details !== undefined && (
        <>
          <h4>
            <code>details</code>
          </h4>
          <FieldList fields={details} special={special} />
        </>
      )}
    </article>
  );
}

/** How values of some fields are shown, by name. Undefined: as others. */
type Specials = Readonly<Record<string, (value: unknown) => ReactNode>>;

function FieldList({ fields, special }: { fields: object; special: Specials }) {
  return (
    <dl className="record-fields">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{(!isAbsent(value) && special[name]?.(value)) || shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const isAbsent = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** A value in words and links. */
function shown(value: unknown): ReactNode {
  if (value === null) return <span className="muted">not given</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="muted">none</span>;
    if (value.every((each) => typeof each !== "object")) return value.join(", ");
    return (
      <ul className="record-values">
        {value.map((each) => (
          <li key={JSON.stringify(each)}>{shown(each)}</li>
        ))}
      </ul>
    );
  }
  if (typeof value === "object") return <Members of={value} />;
  const text = String(value);
  if (/^https?:\/\//.test(text)) return <External href={text}>{text}</External>;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? <a href={`mailto:${text}`}>{text}</a> : text;
}

/** Members of an object that are given, each with its name: of a contact, a place, a recipient. */
function Members({ of: members }: { of: object }) {
  const given = Object.entries(members).filter(([, value]) => !isAbsent(value));
  if (given.length === 0) return <span className="muted">not given</span>;
  return (
    <ul className="record-values">
      {given.map(([name, value]) => (
        <li key={name}>
          <span className="muted">{name.replaceAll("_", " ")}</span> {shown(value)}
        </li>
      ))}
    </ul>
  );
}

type RecordDocument = OpportunityDetails["documents"][number];

/** Documents of a notice: the name links to the file, with its type and size beside it. */
function Documents({ documents }: { documents: readonly RecordDocument[] }) {
  return (
    <ul className="record-values">
      {documents.map(({ name, url, type, size }) => (
        <li key={url}>
          {/^https?:\/\//.test(url) ? <External href={url}>{name ?? url}</External> : (name ?? url)}
          <span className="muted small"> {[type, size !== null && formatBytes(size)].filter(Boolean).join(", ")}</span>
        </li>
      ))}
    </ul>
  );
}

function External({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children} <Icon name="external" size={12} />
    </a>
  );
}
