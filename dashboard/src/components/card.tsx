import { type ReactNode, useId } from "react";
import "./card.css";

/** A titled part of a page. */
export function Card({
  title,
  description,
  actions,
  children,
  isFlush = false,
}: {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The content reaches the card's edges, as a table does. */
  isFlush?: boolean;
}) {
  const titleId = useId();
  return (
    <section className={isFlush ? "card card-flush" : "card"} aria-labelledby={title && titleId}>
      {title !== undefined && (
        <header className="card-header">
          <div>
            <h2 id={titleId}>{title}</h2>
            {description !== undefined && <p className="muted small">{description}</p>}
          </div>
          {actions !== undefined && <div className="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
