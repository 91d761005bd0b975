import type { ReactNode } from "react";
import "./stat.css";

/** Figures side by side. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className="stats">{children}</dl>;
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
