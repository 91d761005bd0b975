import type { PublicStatus } from "../../../status/public.ts";
import { Card } from "../components/card.tsx";
import { Icon } from "../components/icon.tsx";
import { Stat, Stats } from "../components/stat.tsx";
import { Skeleton } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { formatDateTime, formatDay, formatRelative } from "../format/dates.ts";
import { formatCount, formatLatency } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { useDeployment } from "../session/context.tsx";
import type { StatusCheck } from "./check.ts";
import { StatusHistoryCard } from "./history.tsx";
import { useStatusCheck } from "./use-status-check.ts";
import { useStatusHistory } from "./use-status-history.ts";
import { formatUptime } from "./words.ts";
import "./page.css";

const words = {
  ready: { icon: "check", text: "The API is up" },
  "not-ready": { icon: "warning", text: "The API is not ready" },
  unreachable: { icon: "warning", text: "The API cannot be reached from here" },
} as const;

/** Components that the page lists: each with its endpoint in the metrics, and its dataset, if it has one. */
const components = [
  { name: "Grants", endpoint: "grants-api", dataset: "grants" },
  { name: "Contracts", endpoint: "contracts-api", dataset: "contracts" },
  { name: "Funders", endpoint: "funders-api", dataset: "funders" },
  { name: "Semantic search", endpoint: "semantic-search", dataset: undefined },
] as const;

/** Whether the API is up, as this browser finds it now; how fast it answers, how fresh its data is, and its last 90 days. For anybody. */
export default function StatusPage() {
  const { config } = useDeployment();
  const check = useStatusCheck(config.base_url);
  const history = useStatusHistory(config.status_history_url, check);
  return (
    <Page title="Status" description="The API as this page finds it now. It asks again every 30 seconds.">
      {check === undefined ? <Skeleton lines={2} /> : <Now check={check} />}
      {check !== undefined && history !== undefined && <Figures check={check} history={history} />}
      {history === undefined ? (
        config.status_history_url === undefined && <NoHistory url={config.status_url} />
      ) : (
        <StatusHistoryCard history={history} url={config.status_url} />
      )}
      {check?.outcome === "ready" && <Components dataAsOf={check.dataAsOf} history={history} />}
    </Page>
  );
}

function Now({ check }: { check: StatusCheck }) {
  const { icon, text } = words[check.outcome];
  const at = new Date(check.at).toISOString();
  return (
    <section className={`status-now status-now-${check.outcome}`} aria-labelledby="status-now">
      <Icon name={icon} size={28} />
      <div>
        <h2 id="status-now">{text}</h2>
        {check.outcome === "not-ready" && <p>{check.detail}</p>}
        {check.outcome === "unreachable" && (
          <p>It did not answer this browser. Your connection may be the reason, or the service.</p>
        )}
        <p>
          Checked <time dateTime={at}>{formatDateTime(at)}</time>
          {check.outcome === "ready" && `, answered this browser in ${formatCount(check.responseMs)} ms`}.
        </p>
      </div>
    </section>
  );
}

function Figures({ check, history: { p95_ms, slots, since } }: { check: StatusCheck; history: PublicStatus }) {
  const oldest = check.outcome === "ready" ? Object.values(check.dataAsOf).toSorted()[0] : undefined;
  return (
    <Stats of={4}>
      <Stat
        label="Answer now"
        value={check.outcome === "ready" ? `${formatCount(check.responseMs)} ms` : "–"}
        note="of a check by this browser"
      />
      <Stat
        label="p95, last hour"
        value={formatLatency(p95_ms.hour)}
        note={p95_ms.hour === null ? "no requests yet" : "19 of 20 requests are faster"}
      />
      <Stat
        label="Data as of"
        value={oldest === undefined ? "–" : formatRelative(oldest)}
        note="for the oldest dataset"
      />
      <Stat
        label="Up"
        value={formatUptime(slots.ready, slots.known)}
        note={`of ${formatCount(slots.known)} ${slots.known === 1 ? "check" : "checks"} since ${formatDay(since.slice(0, 10))}`}
      />
    </Stats>
  );
}

/** The parts of the API: how fresh their data is, and how fast they answer. */
function Components({
  dataAsOf,
  history,
}: {
  dataAsOf: Readonly<Record<string, string>>;
  history: PublicStatus | undefined;
}) {
  const p95Of = (endpoint: string) => history?.endpoints.find((other) => other.endpoint === endpoint)?.p95_ms;
  return (
    <Card
      title="Data and response times"
      description="Data is as of the newest file of its publishers whose records are all in, as meta.data_as_of of the answers."
      isFlush
    >
      <Table
        columns={[
          ...["Component", "Data as of"],
          ...(history === undefined
            ? []
            : ([
                ["p95, last hour", "number"],
                ["p95, today", "number"],
              ] as const)),
        ]}
      >
        {components.map(({ name, endpoint, dataset }) => (
          <tr key={endpoint}>
            <th scope="row">{name}</th>
            <td data-label="Data as of">
              <Moment at={dataset && dataAsOf[dataset]} />
            </td>
            {history !== undefined && (
              <>
                <td data-label="p95, last hour" className="number">
                  <P95 milliseconds={p95Of(endpoint)?.hour ?? null} />
                </td>
                <td data-label="p95, today" className="number">
                  <P95 milliseconds={p95Of(endpoint)?.day ?? null} />
                </td>
              </>
            )}
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function P95({ milliseconds }: { milliseconds: number | null }) {
  return milliseconds === null ? <span className="muted">no requests</span> : formatLatency(milliseconds);
}

function NoHistory({ url }: { url: string | undefined }) {
  return (
    <Card title="History">
      {url === undefined ? (
        <p>
          Outages and response times of past days are not recorded here: a service cannot tell of the time in which it
          was down.
        </p>
      ) : (
        <p>
          The last 90 days and response times are on <a href={url}>the status page</a>, which is kept elsewhere and
          checks the API from outside.
        </p>
      )}
    </Card>
  );
}

function Moment({ at }: { at: string | undefined }) {
  if (at === undefined) return <span className="muted">–</span>;
  return (
    <span>
      <time dateTime={at}>{formatDateTime(at)}</time> <span className="muted">({formatRelative(at)})</span>
    </span>
  );
}
