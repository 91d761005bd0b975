import { type ReactNode, useEffect, useRef } from "react";
import { StaleNotice } from "../components/stale-notice.tsx";

/** Whether a page was shown before. The first page leaves the focus to the browser. */
let wasPageShown = false;

/** A page with its title, which is also the window's. After a navigation, the title gets the focus. */
export function Page({
  title,
  description,
  actions,
  children,
  isWide = false,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The page has two columns where there is room. */
  isWide?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Funding Opportunities API`;
    if (wasPageShown) heading.current?.focus();
    wasPageShown = true;
  }, [title]);
  return (
    <div className={isWide ? "page page-wide stack" : "page stack"}>
      <header className="page-header">
        <div>
          <h1 ref={heading} id="page-heading" tabIndex={-1}>
            {title}
          </h1>
          {description !== undefined && <p className="muted">{description}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      <StaleNotice />
      {children}
    </div>
  );
}
