import { type ReactNode, useContext, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { Code } from "../components/inline.tsx";
import type { Schema } from "./openapi.ts";
import { boundsOf, fieldsOf, type PlainSchema, plain, typeLabel, valuesOf } from "./schema.ts";
import { StaticContext, WithoutScript } from "./static.tsx";
import { Text } from "./text.tsx";
import { useHash } from "./use-hash.ts";

/** Longest list of values that is shown at once. */
const shownValues = 12;

/** Depth to which folded content is in the HTML of the build. */
const staticDepth = 2;

/** One named value: a parameter, or a field of a body. */
export function Field({
  id,
  name,
  schema,
  description,
  flags = [],
  depth = 0,
}: {
  /** Anchor of the field. Those of its own fields begin with it and a dot. */
  id?: string;
  name: string;
  schema: Schema;
  description?: string | undefined;
  flags?: readonly string[];
  depth?: number;
}) {
  const one = plain(schema);
  const text = description ?? schema.description ?? one.description;
  const inner = fieldsOf(one);
  return (
    <li className="reference-field" id={id}>
      <div className="reference-field-head">
        {id === undefined ? (
          <code className="reference-name">{name}</code>
        ) : (
          <a href={`#${id}`} className="reference-name">
            <code>{name}</code>
          </a>
        )}
        <span className="reference-type">{typeLabel(one)}</span>
        {flags.map((flag) => (
          <span key={flag} className={`reference-flag reference-flag-${flag}`}>
            {flag}
          </span>
        ))}
      </div>
      {text !== undefined && <Text>{text}</Text>}
      <Facts schema={one} />
      {inner !== undefined && (
        <Disclosure title={`Fields of ${name}`} anchor={id}>
          <Fields schema={inner} idPrefix={id && `${id}.`} depth={depth + 1} />
        </Disclosure>
      )}
    </li>
  );
}

/** Fields of an object, or of each of the shapes that a value can have. */
export function Fields({
  schema,
  idPrefix,
  isRequest = false,
  depth = 0,
}: {
  schema: PlainSchema;
  idPrefix?: string | undefined;
  /** Whether the fields are of a request: there the required ones are marked, in an answer the ones that may be missing. */
  isRequest?: boolean;
  depth?: number;
}) {
  const { properties, required = [], choices } = schema;
  if (properties === undefined) {
    return choices
      .filter((choice) => fieldsOf(choice) !== undefined)
      .map((choice, index) => (
        <Disclosure
          key={choice.name ?? typeLabel(choice)}
          title={typeLabel(choice)}
          isOpen={depth === 0 && index === 0}
          anchor={index === 0 ? idPrefix?.slice(0, -1) : undefined}
        >
          {/* The fields of the first have anchors: others may have the same names. */}
          <Fields
            schema={fieldsOf(choice) ?? choice}
            idPrefix={index === 0 ? idPrefix : undefined}
            isRequest={isRequest}
            depth={depth + 1}
          />
        </Disclosure>
      ));
  }
  return (
    <ul className="reference-fields">
      {Object.entries(properties).map(([name, each]) => (
        <Field
          key={name}
          {...(idPrefix === undefined ? {} : { id: `${idPrefix}${name}` })}
          name={name}
          schema={each}
          flags={[
            ...(isRequest && required.includes(name) ? ["required"] : []),
            ...(isRequest || required.includes(name) ? [] : ["optional"]),
            ...(each.deprecated ? ["deprecated"] : []),
          ]}
          depth={depth}
        />
      ))}
    </ul>
  );
}

/** Default, bounds, values and an example. */
function Facts({ schema }: { schema: PlainSchema }) {
  const values = valuesOf(schema);
  const bounds = boundsOf(schema);
  const [example] = schema.examples ?? [];
  const facts = [
    ...(schema.default === undefined ? [] : [["Default", <Code key="default">{written(schema.default)}</Code>]]),
    ...(values.length > 0 ? [["One of", <Values key="values" values={values} />]] : []),
    ...(bounds.length > 0 ? [["Bounds", bounds.join("; ")]] : []),
    ...(schema.pattern === undefined ? [] : [["Pattern", <Code key="pattern">{schema.pattern}</Code>]]),
    ...(example === undefined || values.length === 1
      ? []
      : [["Example", <Code key="example">{written(example)}</Code>]]),
  ] as [string, ReactNode][];
  if (facts.length === 0) return null;
  return (
    <dl className="reference-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ values }: { values: readonly unknown[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll || values.length <= shownValues + 2 ? values : values.slice(0, shownValues);
  return (
    <>
      {shown.map((value, index) => (
        <span key={String(value)}>
          {index > 0 && ", "}
          <Code>{written(value)}</Code>
        </span>
      ))}
      {shown.length < values.length && (
        <>
          {" "}
          <button type="button" className="reference-more" onClick={() => setShowsAll(true)}>
            and {values.length - shown.length} more
          </button>
          <WithoutScript>, {values.slice(shown.length).map(written).join(", ")}</WithoutScript>
        </>
      )}
    </>
  );
}

function written(value: unknown): string {
  if (value === "") return '""';
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Content that is made when it is first opened: a schema may contain itself. */
export function Disclosure({
  title,
  isOpen: isOpenAtFirst = false,
  isScriptOnly = false,
  anchor,
  children,
}: {
  title: ReactNode;
  /** Whether the HTML of the build leaves it out. */
  isScriptOnly?: boolean;
  isOpen?: boolean;
  /** Anchor of what it is about: it opens when the address leads into it. */
  anchor?: string | undefined;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const folded = useContext(StaticContext);
  const isInHtml = folded === undefined || (folded < staticDepth && !isScriptOnly);
  const hash = useHash();
  const [handled, setHandled] = useState("");
  if (hash !== handled) {
    setHandled(hash);
    if (anchor !== undefined && decodeURIComponent(hash).startsWith(`#${anchor}.`)) setOpen(true);
  }
  return (
    <details
      className={isInHtml ? "reference-details" : "reference-details reference-script"}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" size={14} />
        {title}
      </summary>
      {folded === undefined
        ? isOpen && children
        : isInHtml && <StaticContext value={folded + 1}>{children}</StaticContext>}
    </details>
  );
}
