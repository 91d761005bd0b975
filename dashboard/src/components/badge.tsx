import type { ReactNode } from "react";
import "./badge.css";

/** A state in a word or two. */
export function Badge({ tone, children }: { tone: "good" | "warning" | "bad" | "plain"; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
