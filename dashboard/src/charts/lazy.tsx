import { type ComponentProps, lazy, Suspense } from "react";
import { Skeleton } from "../components/states.tsx";
import type { LatencyChart as Latency } from "./latency-chart.tsx";
import type { RequestsChart as Requests } from "./requests-chart.tsx";

const LoadedRequestsChart = lazy(async () => ({ default: (await import("./requests-chart.tsx")).RequestsChart }));
const LoadedLatencyChart = lazy(async () => ({ default: (await import("./latency-chart.tsx")).LatencyChart }));

/** Chart that is loaded on demand: the chart library is half of the dashboard's scripts. */
export function RequestsChart(properties: ComponentProps<typeof Requests>) {
  return (
    <Suspense fallback={<Skeleton lines={1} tall />}>
      <LoadedRequestsChart {...properties} />
    </Suspense>
  );
}

export function LatencyChart(properties: ComponentProps<typeof Latency>) {
  return (
    <Suspense fallback={<Skeleton lines={1} tall />}>
      <LoadedLatencyChart {...properties} />
    </Suspense>
  );
}
