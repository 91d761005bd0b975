import { useEffect, useState } from "react";
import { usePreview, type WebhookPreviewInput } from "../api/webhooks.ts";
import { Callout } from "../components/callout.tsx";
import { formatCount } from "../format/numbers.ts";

/** Debounce: time without a change of the form after which its deliveries are counted. */
const pauseMs = 400;

/** Says how many deliveries a webhook is sent as soon as it is saved: deadlines that are near already. */
export function DeadlinePreview({ settings }: { settings: WebhookPreviewInput }) {
  const text = JSON.stringify(settings);
  const [counted, setCounted] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setCounted(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = usePreview(counted);
  return (
    <div role="status">
      {data !== undefined && counted === text && (
        <Callout tone={data.deadlines === 0 ? "info" : "warning"} title={titleFor(data.deadlines, data.is_capped)}>
          {data.deadlines === 1 && "One deadline is within these days already. It is sent once."}
          {data.deadlines > 1 && "So many deadlines are within these days already. Each is sent once."}
        </Callout>
      )}
    </div>
  );
}

function titleFor(deadlines: number, isCapped: boolean): string {
  if (deadlines === 0) return "Saving sends nothing at once: no deadline is within these days";
  const count = `${formatCount(deadlines)}${isCapped ? " or more" : ""}`;
  return `Saving sends ${count} ${deadlines === 1 ? "delivery" : "deliveries"} at once`;
}
