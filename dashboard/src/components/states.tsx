import type { ReactNode } from "react";
import { explain } from "../api/errors.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { inline } from "./inline.tsx";
import { StatusLink } from "./status-link.tsx";
import "./states.css";

/** Placeholder for an empty list or page, with the next step. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} size={20} />
      </span>
      <p className="state-title">{title}</p>
      {children !== undefined && <div className="muted state-text">{children}</div>}
      {action}
    </div>
  );
}

/** Error: what went wrong, what to do, and a retry button. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, advice, requestId } = explain(error);
  return (
    <div className="state" role="alert">
      <span className="state-icon state-icon-bad">
        <Icon name="warning" size={20} />
      </span>
      <p className="state-title">{title}</p>
      <div className="muted state-text">
        <p>
          {inline(advice)}
          <StatusLink error={error} />
        </p>
        {requestId !== undefined && (
          <p className="small">
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== undefined && (
        <Button onClick={onRetry}>
          <Icon name="rotate" />
          Try again
        </Button>
      )}
    </div>
  );
}

/** Placeholder for content that is being loaded. */
export function Skeleton({ lines = 3, tall = false }: { lines?: number; tall?: boolean }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and never reordered
        <span key={line} className={tall ? "skeleton-line skeleton-tall" : "skeleton-line"} />
      ))}
    </div>
  );
}
