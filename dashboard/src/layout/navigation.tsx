import { Link, useLocation } from "wouter";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { useDeployment } from "../session/context.tsx";

interface PageLink {
  path: string;
  name: string;
  icon: IconName;
}

const pages: readonly PageLink[] = [
  { path: "/", name: "Overview", icon: "overview" },
  { path: "/keys", name: "API keys", icon: "key" },
  { path: "/usage", name: "Usage", icon: "usage" },
  { path: "/requests", name: "Requests", icon: "requests" },
  { path: "/explorer", name: "Explorer", icon: "explorer" },
  { path: "/saved-searches", name: "Saved searches", icon: "bookmark" },
  { path: "/webhooks", name: "Webhooks", icon: "webhook" },
  { path: "/account", name: "Account", icon: "account" },
];

/** Pages of the documentation, which may be elsewhere. */
function documentationOf({ reference_url, changelog_url, guide_url }: DashboardConfig): readonly PageLink[] {
  return [
    { path: reference_url, name: "API reference", icon: "reference" },
    ...(changelog_url === null ? [] : [{ path: changelog_url, name: "Changelog", icon: "changelog" } as const]),
    { path: "/status", name: "Status", icon: "check" },
    ...(guide_url === undefined ? [] : [{ path: guide_url, name: "Guide", icon: "external" } as const]),
  ];
}

/** All that the navigation links to. */
export function usePageLinks(): readonly PageLink[] {
  const { config } = useDeployment();
  return [...pages, ...documentationOf(config)];
}

/** Links to the dashboard's pages and to the documentation. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const { config } = useDeployment();
  return (
    <nav aria-label="Dashboard" className="navigation">
      <ul>
        {pages.map(({ path, name, icon }) => (
          <NavigationLink key={path} href={path} name={name} icon={icon} onGo={onGo} />
        ))}
      </ul>
      <h2 className="navigation-heading">Documentation</h2>
      <ul>
        {documentationOf(config).map(({ path, name, icon }) => (
          <NavigationLink key={path} href={path} name={name} icon={icon} onGo={onGo} />
        ))}
      </ul>
    </nav>
  );
}

/** Link to a page of the dashboard, or to an address elsewhere. */
function NavigationLink({
  href,
  name,
  icon,
  onGo,
}: {
  href: string;
  name: string;
  icon: IconName;
  onGo?: (() => void) | undefined;
}) {
  const [location] = useLocation();
  const content = (
    <>
      <Icon name={icon} />
      {name}
    </>
  );
  return (
    <li>
      {href.startsWith("/") ? (
        <Link
          href={href}
          className="navigation-link"
          aria-current={isAt(location, href) ? "page" : undefined}
          onClick={() => onGo?.()}
        >
          {content}
        </Link>
      ) : (
        <a className="navigation-link" href={href}>
          {content}
        </a>
      )}
    </li>
  );
}

/** Whether a location is a page or below one. */
function isAt(location: string, path: string): boolean {
  return location === path || (path !== "/" && location.startsWith(`${path}/`));
}
