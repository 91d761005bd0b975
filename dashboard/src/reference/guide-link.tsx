import { Icon } from "../components/icon.tsx";
import { useDeployment } from "../session/context.tsx";

/** Link to a page of the documentation, which the API serves as Markdown. */
export function GuideLink({ name }: { name: string }) {
  const { config } = useDeployment();
  return (
    <a href={`${config.base_url}/openapi/docs/${name}`} className="button button-secondary">
      <Icon name="external" />
      Guide
    </a>
  );
}
