import { printable } from "../shared/log/printable.ts";
import { redact } from "../shared/log/redact.ts";
import { type MetricsReading, readMetrics } from "./metrics.ts";

/** Outcome of a check: ready, an answer that says otherwise, or no answer. */
export type Outcome = "ready" | "not-ready" | "unreachable";

/** Result of a check. */
export interface Check {
  at: Date;
  outcome: Outcome;
  /** Why it is not ready, in words; undefined when it is. */
  detail: string | undefined;
  /** Time until the answer was read, in milliseconds; undefined without an answer. */
  responseMs: number | undefined;
  /** Undefined where no secret was given, and where `metricsProblem` says why they could not be read. */
  metrics: MetricsReading | undefined;
  metricsProblem: string | undefined;
}

export interface ProbeOptions {
  /** Address of the API, up to and including `/functions/v1`. */
  baseUrl: string;
  metricsSecret: string | undefined;
  /** Longest wait for an answer. Default: 10,000. */
  timeoutMs?: number;
  /** Wait before a failed check is tried once more: a lost packet is no outage. Default: 5,000. */
  retryAfterMs?: number;
  now?: () => Date;
}

/** Limit of bytes read of an answer. */
const maximumBytes = 4 * 1024 * 1024;
/** Longest reason that is kept. */
const maximumDetailLength = 300;

/**
 * Asks `/health/ready`, a second time if the first was no success, and `/metrics` where there is a secret. Redirects are not followed: the secret
 * goes to the host that was named, and a page of another host says nothing of this one. Never throws.
 */
export async function probe({
  baseUrl,
  metricsSecret,
  timeoutMs = 10_000,
  retryAfterMs = 5_000,
  now = () => new Date(),
}: ProbeOptions): Promise<Check> {
  let readiness = await askReadiness(baseUrl, timeoutMs);
  if (readiness.outcome !== "ready") {
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    readiness = await askReadiness(baseUrl, timeoutMs);
  }
  const clean = (text: string | undefined) => text && cleanText(text, metricsSecret);
  const { metrics, problem } =
    metricsSecret === undefined || readiness.outcome === "unreachable"
      ? {}
      : await askMetrics(baseUrl, metricsSecret, timeoutMs);
  return {
    at: now(),
    ...readiness,
    detail: clean(readiness.detail),
    metrics: metrics ?? undefined,
    metricsProblem: clean(problem),
  };
}

type Readiness = Pick<Check, "outcome" | "detail" | "responseMs">;

async function askReadiness(baseUrl: string, timeoutMs: number): Promise<Readiness> {
  const startedAt = performance.now();
  const answer = await get(`${baseUrl}/health/ready`, {}, timeoutMs);
  if (!answer.ok) return { outcome: "unreachable", detail: answer.problem, responseMs: undefined };
  const responseMs = Math.round(performance.now() - startedAt);
  const { status, text } = answer;
  const body = parseObject(text);
  if (status === 200 && body?.status === "ready") return { outcome: "ready", detail: undefined, responseMs };
  return { outcome: "not-ready", detail: describe(status, body), responseMs };
}

function describe(status: number, body: Record<string, unknown> | undefined): string {
  if (typeof body?.detail === "string" && body.detail !== "") return body.detail;
  if (status === 200) return "The answer is not that of this API.";
  return `It answered with HTTP status ${status}.`;
}

async function askMetrics(
  baseUrl: string,
  secret: string,
  timeoutMs: number,
): Promise<{ metrics?: MetricsReading; problem?: string }> {
  const answer = await get(`${baseUrl}/metrics`, { Authorization: `Bearer ${secret}` }, timeoutMs);
  if (!answer.ok) return { problem: answer.problem };
  if (answer.status === 401) return { problem: "The metrics secret is not that of the deployment (HTTP status 401)." };
  if (answer.status === 404) return { problem: "The deployment has no METRICS_SECRET (HTTP status 404)." };
  if (answer.status !== 200) return { problem: `It answered with HTTP status ${answer.status}.` };
  try {
    return { metrics: readMetrics(answer.text) };
  } catch (error) {
    return { problem: `It cannot be read: ${(error as Error).message}.` };
  }
}

type Answer = { ok: true; status: number; text: string } | { ok: false; problem: string };

/** Sends a GET and reads the whole answer within the time limit. */
async function get(url: string, headers: Record<string, string>, timeoutMs: number): Promise<Answer> {
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    const { signal } = controller;
    const response = await fetch(url, { headers, redirect: "manual", cache: "no-store", signal });
    return { ok: true, status: response.status, text: await readText(response) };
  } catch {
    // The message of a failed fetch names addresses within the operator's network, and differs with the runtime.
    return {
      ok: false,
      problem: isLate ? `There was no answer within ${timeoutMs / 1_000} s.` : "It could not be reached.",
    };
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/** Reads a body. @throws {Error} when it is longer than `maximumBytes`. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maximumBytes) throw new Error("the answer is too long");
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Text for a public page: without secrets, on one line, and of a bounded length. */
function cleanText(text: string, secret: string | undefined): string {
  const hidden = secret === undefined ? text : text.replaceAll(secret, "…");
  const line = printable(redact(hidden).replaceAll(/\s+/g, " ").trim());
  return line.length > maximumDetailLength ? `${line.slice(0, maximumDetailLength)}…` : line;
}
