import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withRetries } from "../../../packages/client/src/retry.ts";

/** Stands for the network: gives these answers in order, and keeps what was sent and when. */
function network(...answers: Response[]) {
  const sent: { at: number; body: string }[] = [];
  const send = async (request: Request) => {
    sent.push({ at: Date.now(), body: await request.text() });
    return answers[sent.length - 1] ?? new Response("no more answers", { status: 500 });
  };
  return { sent, send: send as typeof fetch };
}

const refusal = (status: number, retryAfter?: string) =>
  new Response("{}", { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } });
const request = (init?: RequestInit) => new Request("https://api.invalid/grants-api", init);

/** Lets the clock run until a promise has ended. */
async function ended<Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const settled = Promise.allSettled([promise]);
  await vi.runAllTimersAsync();
  const [result] = await settled;
  return result;
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-20T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a request is sent again", () => {
  test.each([429, 503])("after %i, when Retry-After says so", async (status) => {
    const { sent, send } = network(refusal(status, "7"), refusal(200));
    const result = await ended(withRetries(send)(request()));
    expect(result).toMatchObject({ status: "fulfilled", value: { status: 200 } });
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(7_000);
  });

  test("at the moment that Retry-After names as a date", async () => {
    const { sent, send } = network(refusal(503, "Fri, 20 Nov 2026 12:00:11 GMT"), refusal(200));
    await ended(withRetries(send)(request()));
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(11_000);
  });

  test("after a fraction of a second, where Retry-After names one", async () => {
    const { sent, send } = network(refusal(503, "1.5"), refusal(200));
    await ended(withRetries(send)(request()));
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(1_500);
  });

  // The first two are days of 2001 to `Date.parse`.
  test.each(["-1", "1,5", "0x10"])("not at once, when Retry-After is %j", async (named) => {
    const { sent, send } = network(refusal(503, named), refusal(200));
    await ended(withRetries(send)(request()));
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(374);
  });

  test("after waits that grow, where no Retry-After names them", async () => {
    const { sent, send } = network(refusal(503), refusal(503), refusal(503), refusal(200));
    await ended(withRetries(send, { maximumAttempts: 4 })(request()));
    const waits = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index * 0.75 - 1);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index * 1.25 + 1);
    }
  });

  test("with its body", async () => {
    const { sent, send } = network(refusal(503, "1"), refusal(200));
    await ended(withRetries(send)(request({ method: "POST", body: '{"query":"water"}' })));
    expect(sent.map(({ body }) => body)).toEqual(['{"query":"water"}', '{"query":"water"}']);
  });
});

describe("the answer is given at once", () => {
  test.each([200, 304, 400, 401, 403, 404, 500])("when it is %i", async (status) => {
    const bodiless = status === 304 ? new Response(null, { status }) : refusal(status);
    const { sent, send } = network(bodiless);
    expect((await withRetries(send)(request())).status).toBe(status);
    expect(sent).toHaveLength(1);
  });

  test("when the wait would be longer than the longest: a day's quota is used up", async () => {
    const { sent, send } = network(refusal(429, "43200"));
    expect((await withRetries(send)(request())).status).toBe(429);
    expect(sent).toHaveLength(1);
  });

  test("when it was the last attempt, with its body unread", async () => {
    const { sent, send } = network(refusal(503, "1"), refusal(503, "1"), refusal(503, "1"));
    const result = await ended(withRetries(send)(request()));
    expect(sent).toHaveLength(3);
    expect(result.status === "fulfilled" && (await result.value.text())).toBe("{}");
  });

  test("when one attempt is all there is", async () => {
    const { sent, send } = network(refusal(503, "1"));
    await withRetries(send, { maximumAttempts: 1 })(request());
    expect(sent).toHaveLength(1);
  });
});

describe("a signal", () => {
  test("ends the wait", async () => {
    const { sent, send } = network(refusal(503, "20"), refusal(200));
    const controller = new AbortController();
    const asked = Promise.allSettled([withRetries(send)(request({ signal: controller.signal }))]);
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort(new Error("enough"));
    expect(await asked).toEqual([{ status: "rejected", reason: new Error("enough") }]);
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
