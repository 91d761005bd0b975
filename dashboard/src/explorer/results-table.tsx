import type { ReactNode } from "react";
import type { Highlight } from "../../../shared/responses/highlights.ts";
import { EmptyState } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { formatDate } from "../format/dates.ts";
import { formatAmounts } from "../format/numbers.ts";
import type { AnyRecord } from "./body.ts";
import type { Dataset } from "./datasets.ts";
import { DocumentPassages } from "./document-passages.tsx";
import { MarkedText } from "./marked-text.tsx";
import { RecordLink } from "./record-link.tsx";
import { RecordStatus } from "./status.tsx";

/** Records of a list, one a row. A title opens the record. */
export function ResultsTable({
  dataset,
  records,
  onOpen,
}: {
  dataset: Dataset;
  records: readonly AnyRecord[];
  onOpen: (dataset: Dataset, id: string) => void;
}) {
  if (records.length === 0) {
    return (
      <EmptyState icon="explorer" title="No records match">
        Take a filter away, or search for other words.
      </EmptyState>
    );
  }
  const columns = dataset === "funders" ? funderColumns : opportunityColumns;
  const isRanked = records.some(({ relevance_score }) => relevance_score !== undefined);
  return (
    <div className="table-scroll">
      <Table
        className="table-cards results-table"
        columns={[
          dataset === "funders" ? "Name" : "Title",
          ...columns.map(({ name, isNumber }) => (isNumber ? ([name, "number"] as const) : name)),
          ...(isRanked ? [["Score", "number"] as const] : []),
        ]}
      >
        {records.map((record) => (
          <tr key={record.id}>
            <th scope="row">
              <div>
                <button
                  type="button"
                  className="link-button results-title"
                  onClick={() => onOpen(record.type ?? dataset, record.id)}
                >
                  {record.title ?? record.name}
                </button>
                <div className="muted small results-beside">
                  <BesideTitle record={record} onOpen={onOpen} />
                </div>
                <OwnPassage found={record.highlights?.description ?? record.highlights?.summary} />
                <DocumentPassages passages={record.passages} />
              </div>
            </th>
            {columns.map(({ name, isNumber, show }) => (
              <td key={name} data-label={name} className={isNumber ? "number" : undefined}>
                {show(record)}
              </td>
            ))}
            {isRanked && (
              <td data-label="Score" className="number">
                {record.relevance_score?.toFixed(3)}
              </td>
            )}
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** The passage of a record that was found, with its words marked. */
function OwnPassage({ found }: { found: Highlight | undefined }) {
  if (found === undefined) return null;
  return (
    <div className="small results-passage">
      <MarkedText found={found} />
    </div>
  );
}

interface Column {
  name: string;
  isNumber?: boolean;
  show: (record: AnyRecord) => ReactNode;
}

const opportunityColumns: readonly Column[] = [
  { name: "Amount", isNumber: true, show: ({ amount_min, amount_max }) => formatAmounts(amount_min, amount_max) },
  {
    name: "Deadline",
    isNumber: true,
    show: ({ deadline_date, project_end_date }) => dayOf(deadline_date) ?? (project_end_date ? "awarded" : "–"),
  },
  { name: "Status", show: ({ status }) => (status === undefined ? "–" : <RecordStatus status={status} />) },
];

const funderColumns: readonly Column[] = [
  { name: "Website", show: ({ website }) => (website ? <Website url={website} /> : "–") },
];

function Website({ url }: { url: string }) {
  const text = url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
  if (!/^https?:\/\//.test(url)) return text;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** What tells records of one title apart. The funder's name opens the funder. */
function BesideTitle({
  record: { funder_id, funder_name, geography, naics, set_aside_code, summary },
  onOpen,
}: {
  record: AnyRecord;
  onOpen: (dataset: Dataset, id: string) => void;
}) {
  const words = [geography, naics && `NAICS ${naics}`, set_aside_code, summary];
  const text = words.filter((part) => typeof part === "string" && part !== "").join(" · ");
  return (
    <>
      {funder_id !== undefined && (
        <RecordLink dataset="funders" id={funder_id} onOpen={onOpen}>
          {funder_name}
        </RecordLink>
      )}
      {funder_id !== undefined && text !== "" && " · "}
      {text}
    </>
  );
}

/** A day of the API, which has no time zone. */
function dayOf(day: string | null | undefined): string | undefined {
  return typeof day === "string" ? formatDate(`${day}T12:00:00`) : undefined;
}
