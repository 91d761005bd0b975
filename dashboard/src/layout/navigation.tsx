import { Link, useLocation } from "wouter";
import { Icon, type IconName } from "../components/icon.tsx";
import { useDeployment } from "../session/context.tsx";

const pages: readonly { path: string; name: string; icon: IconName }[] = [
  { path: "/", name: "Overview", icon: "overview" },
  { path: "/keys", name: "API keys", icon: "key" },
  { path: "/usage", name: "Usage", icon: "usage" },
  { path: "/requests", name: "Requests", icon: "requests" },
  { path: "/explorer", name: "Explorer", icon: "explorer" },
  { path: "/saved-searches", name: "Saved searches", icon: "bookmark" },
  { path: "/webhooks", name: "Webhooks", icon: "webhook" },
  { path: "/account", name: "Account", icon: "account" },
];

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
        <NavigationLink href={config.reference_url} name="API reference" icon="reference" onGo={onGo} />
        {config.changelog_url !== null && (
          <NavigationLink href={config.changelog_url} name="Changelog" icon="changelog" onGo={onGo} />
        )}
        <NavigationLink href="/status" name="Status" icon="check" onGo={onGo} />
        {config.guide_url !== undefined && <NavigationLink href={config.guide_url} name="Guide" icon="external" />}
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
