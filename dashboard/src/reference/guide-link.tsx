import { Icon } from "../components/icon.tsx";
import { useApiLink } from "./use-api-link.ts";

/** Link to a page of the documentation, which the API serves as Markdown. */
export function GuideLink({ name }: { name: string }) {
  const linkTo = useApiLink();
  return (
    <a href={linkTo(`/openapi/docs/${name}`)} className="button button-secondary">
      <Icon name="external" />
      Guide
    </a>
  );
}
