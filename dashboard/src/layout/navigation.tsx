import { Link, useLocation } from "wouter";
import { Icon, type IconName } from "../components/icon.tsx";
import { useDeployment } from "../session/context.tsx";

const pages: readonly { path: string; name: string; icon: IconName }[] = [
  { path: "/", name: "Overview", icon: "overview" },
  { path: "/keys", name: "API keys", icon: "key" },
  { path: "/usage", name: "Usage", icon: "usage" },
  { path: "/explorer", name: "Explorer", icon: "explorer" },
  { path: "/webhooks", name: "Webhooks", icon: "webhook" },
  { path: "/account", name: "Account", icon: "account" },
];

/** Links to the dashboard's pages and to the documentation. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const { config } = useDeployment();
  const [location] = useLocation();
  return (
    <nav aria-label="Dashboard" className="navigation">
      <ul>
        {pages.map(({ path, name, icon }) => (
          <li key={path}>
            <Link
              href={path}
              className="navigation-link"
              aria-current={isAt(location, path) ? "page" : undefined}
              onClick={() => onGo?.()}
            >
              <Icon name={icon} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <h2 className="navigation-heading">Documentation</h2>
      <ul>
        <li>
          <a className="navigation-link" href={config.reference_url}>
            <Icon name="reference" />
            API reference
          </a>
        </li>
        {config.changelog_url !== null && (
          <li>
            <a className="navigation-link" href={config.changelog_url}>
              <Icon name="changelog" />
              Changelog
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** Whether a location is a page or below one. */
function isAt(location: string, path: string): boolean {
  return location === path || (path !== "/" && location.startsWith(`${path}/`));
}
