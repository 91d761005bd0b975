import type { Connection } from "../../../database/connection.ts";
import type { Report } from "../report.ts";

/** Tables that grow with time and lose their old rows, and the time of a row. */
const histories = [
  ["audit_log", "at"],
  ["request_log", "at"],
  ["usage_hours", "hour"],
  ["usage", "day"],
  ["events", "created_at"],
  ["invitations", "created_at"],
  ["record_changes", "changed_at"],
  ["deadline_notices", "noted_at"],
] as const;

/** Rows that were there before the trouble: far younger than what is deleted, so that they must stay. */
export class History {
  private constructor(private readonly counts: ReadonlyMap<string, { until: string; rows: number }>) {}

  static async read(connection: Connection): Promise<History> {
    const counts = new Map<string, { until: string; rows: number }>();
    for (const [table, column] of histories) {
      const [found] = await connection.query<{ until: string; rows: number }>(
        `select max(${column})::text as until, count(*)::integer as rows from funding.${table}`,
      );
      if (found !== undefined && found.rows > 0) counts.set(table, found);
    }
    return new History(counts);
  }

  /** Holds what there is now against it, and against what the account was told of. */
  async judge(connection: Connection, made: readonly string[], report: Report): Promise<void> {
    for (const [table, column] of histories) {
      const before = this.counts.get(table);
      if (before === undefined) continue;
      const [now] = await connection.query<{ rows: number }>(
        `select count(*)::integer as rows from funding.${table} where ${column} <= $1::text::${column === "day" ? "date" : "timestamptz"}`,
        [before.until],
      );
      if ((now?.rows ?? 0) < before.rows) {
        report.violation(`history: of ${before.rows} rows of ${table} there are ${now?.rows ?? 0}`);
      } else report.count("history", `${table} whole`);
    }
    const logged = await connection.query<{ subject_id: string }>(
      "select subject_id::text from funding.audit_log where action in ('key.created', 'webhook.created', 'saved_search.created')",
    );
    const subjects = new Set(logged.map(({ subject_id }) => subject_id));
    const missing = made.filter((id) => !subjects.has(id));
    if (missing.length > 0)
      report.violation(`history: the audit log lacks ${missing.length} of ${made.length} creations`);
    else report.count("history", "creations in the audit log", made.length);
  }
}
