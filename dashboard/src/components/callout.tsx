import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./callout.css";

/** Highlighted message: information, a warning or an error. */
export function Callout({
  tone,
  title,
  children,
  action,
}: {
  tone: "info" | "warning" | "bad";
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={`callout callout-${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <Icon name={tone === "info" ? "info" : "warning"} />
      <div className="callout-text">
        <p className="callout-title">{title}</p>
        {children !== undefined && <div className="callout-body">{children}</div>}
      </div>
      {action}
    </div>
  );
}
