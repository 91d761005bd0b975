import { Link } from "wouter";
import type { AuditEntry } from "../api/audit-log.ts";
import { Fact, Facts } from "../components/facts.tsx";
import { Icon } from "../components/icon.tsx";
import { Table } from "../components/table.tsx";
import { formatDateTime } from "../format/dates.ts";
import { fieldName, hadValue, valueText } from "./changes.ts";
import { actorOf, sentenceOf } from "./sentence.ts";
import "./page.css";

/** Entries of the audit log, one a row. */
export function AuditTable({ entries, hasDetails = false }: { entries: readonly AuditEntry[]; hasDetails?: boolean }) {
  return (
    <Table caption="Changes in the account" columns={["Change", "By", "Time"]}>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <th scope="row" className="audit-change">
            {sentenceOf(entry)}
            {hasDetails && <Details entry={entry} />}
          </th>
          <td data-label="By" className="audit-actor">
            {actorOf(entry)}
          </td>
          <td data-label="Time" className="audit-time">
            <time dateTime={entry.at} title={entry.at}>
              {formatDateTime(entry.at)}
            </time>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The fields that changed, and the way to the other changes of the same thing. */
function Details({ entry: { subject, changes } }: { entry: AuditEntry }) {
  return (
    <details className="audit-details">
      <summary>
        <Icon name="chevron" size={14} />
        {changes.length > 0 && changes.length <= 3
          ? changes.map(({ field }) => fieldName(field)).join(", ")
          : "Details"}
      </summary>
      <Facts>
        {changes.map((change) => (
          <Fact key={change.field} name={fieldName(change.field)}>
            {hadValue(change) && (
              <>
                <del>{valueText(change.from)}</del>
                <span className="visually-hidden"> is now </span>
                <span aria-hidden="true"> → </span>
              </>
            )}
            {valueText(change.to)}
          </Fact>
        ))}
        <Fact name="Id">
          <Link href={`/account/audit-log?subject=${subject.id}`}>
            <code>{subject.id}</code>
          </Link>
        </Fact>
      </Facts>
    </details>
  );
}
