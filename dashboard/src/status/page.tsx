import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Skeleton } from "../components/states.tsx";
import { formatDateTime, formatRelative } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";
import type { StatusCheck } from "./check.ts";
import { useStatusCheck } from "./use-status-check.ts";

const words = {
  ready: { tone: "good", name: "Up", text: "The API is up" },
  "not-ready": { tone: "bad", name: "Not ready", text: "The API is not ready" },
  unreachable: { tone: "bad", name: "Unreachable", text: "The API cannot be reached from here" },
} as const;

const datasets = [
  ["grants", "Grants"],
  ["contracts", "Contracts"],
  ["funders", "Funders"],
] as const;

/** Whether the API is up, as this browser finds it now, and how fresh its data is; and where its history is. For anybody. */
export default function StatusPage() {
  const { config } = useDeployment();
  const check = useStatusCheck(config.base_url);
  const dataAsOf = check?.outcome === "ready" ? check.dataAsOf : {};
  const known = datasets.filter(([dataset]) => dataAsOf[dataset] !== undefined);
  return (
    <Page title="Status" description="The API as this page finds it now. It asks again every 30 seconds.">
      {check === undefined ? <Skeleton lines={2} /> : <Now check={check} />}
      {known.length > 0 && (
        <Card
          title="Data"
          description="When the newest of the publishers' files was written whose records are all in. meta.data_as_of of each answer has it, too."
        >
          <Facts>
            {known.map(([dataset, name]) => (
              <Fact key={dataset} name={name}>
                <Moment at={dataAsOf[dataset] ?? ""} />
              </Fact>
            ))}
          </Facts>
        </Card>
      )}
      <Card title="History">
        {config.status_url === undefined ? (
          <p>
            Outages and response times of past days are not recorded here: a service cannot tell of the time in which it
            was down.
          </p>
        ) : (
          <p>
            The last 90 days and response times are on <a href={config.status_url}>the status page</a>, which is kept
            elsewhere and checks the API from outside.
          </p>
        )}
      </Card>
    </Page>
  );
}

function Now({ check }: { check: StatusCheck }) {
  const { tone, name, text } = words[check.outcome];
  const at = new Date(check.at).toISOString();
  return (
    <Card title={text} actions={<Badge tone={tone}>{name}</Badge>}>
      {check.outcome === "not-ready" && <p>{check.detail}</p>}
      {check.outcome === "unreachable" && (
        <p>It did not answer this browser. Your connection may be the reason, or the service.</p>
      )}
      <Facts>
        <Fact name="Checked">
          <time dateTime={at}>{formatDateTime(at)}</time>
        </Fact>
        {check.outcome === "ready" && <Fact name="Answered this browser in">{formatCount(check.responseMs)} ms</Fact>}
      </Facts>
    </Card>
  );
}

function Moment({ at }: { at: string }) {
  return (
    <>
      <time dateTime={at}>{formatDateTime(at)}</time> <span className="muted">({formatRelative(at)})</span>
    </>
  );
}
