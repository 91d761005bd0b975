import { type ReactNode, useEffect, useRef } from "react";

/** Whether the dashboard has shown a page before: the first has the browser's own focus. */
let wasPageShown = false;

/** A page's title, in the window's too, and its content. A page that is gone to has the focus on its title. */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Funding Opportunities API`;
    if (wasPageShown) heading.current?.focus();
    wasPageShown = true;
  }, [title]);
  return (
    <div className="page stack">
      <header className="page-header">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {description !== undefined && <p className="muted">{description}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
