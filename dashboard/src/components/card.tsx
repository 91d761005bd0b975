import { type ReactNode, useId } from "react";
import "./card.css";

/** Section of a page, with an optional title. */
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
  /** The content extends to the card's edges, for example a table. */
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
