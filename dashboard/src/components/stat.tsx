import type { ReactNode } from "react";
import "./stat.css";

/** A few figures side by side. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className="stats">{children}</dl>;
}

/** One figure: what it is, the number, and what it is made of. */
export function Stat({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className="stat-value">{value}</dd>
      {note !== undefined && <dd className="muted small">{note}</dd>}
    </div>
  );
}
