import { isOutage } from "../api/errors.ts";
import { useStatusUrl } from "../session/context.tsx";

/** Link to the status page, beside an error that is the service's. */
export function StatusLink({ error }: { error: unknown }) {
  const url = useStatusUrl();
  if (url === undefined || !isOutage(error)) return null;
  return (
    <>
      {" "}
      <a href={url}>See the status page</a>
    </>
  );
}
