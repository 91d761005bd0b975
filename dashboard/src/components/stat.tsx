import type { ReactNode } from "react";
import "./stat.css";

/** Figures side by side: four or six of them. */
export function Stats({ of: count, children }: { of: 4 | 6; children: ReactNode }) {
  return (
    <div className="stats-frame">
      <dl className={`stats stats-of-${count}`}>{children}</dl>
    </div>
  );
}

/** A figure with its name and a note. */
export function Stat({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className="stat-value">{value}</dd>
      {note !== undefined && <dd className="muted small">{note}</dd>}
    </div>
  );
}
