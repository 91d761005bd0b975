import { setTimeout } from "node:timers/promises";
import type { Connection } from "../../database/connection.ts";
import type { People } from "../support/people.ts";

/** A kind of request that clients send all the time. */
export interface RequestKind {
  name: string;
  /** Sends the next one. @returns its status. */
  send(): Promise<number>;
  /** Time between an answer and the next request. */
  pauseMs: number;
  /** Requests of this kind, at most. */
  most?: number;
}

/** Requests of several kinds, of each kind one after the other. */
export interface Traffic {
  /** Names of the kinds of which requests are still sent. */
  names(): string[];
  /** Answers to requests of a kind, or to all. */
  answers(name?: string): number;
  /** The longest that an answer of each kind took since the last call, a request that is under way included. */
  takeLongestMs(): Record<string, number>;
  /** Ends them. @returns the answers that were no success. */
  stop(): Promise<string[]>;
}

export function startTraffic(kinds: readonly RequestKind[]): Traffic {
  const isOver = new AbortController();
  const failures: string[] = [];
  const states = kinds.map((kind) => ({ kind, answers: 0, longestMs: 0, sentAt: undefined as number | undefined }));
  const sending = states.map(async (state) => {
    const { name, send, pauseMs, most = Infinity } = state.kind;
    while (!isOver.signal.aborted && state.answers < most) {
      state.sentAt = performance.now();
      const status = await send().catch(String);
      state.longestMs = Math.max(state.longestMs, performance.now() - state.sentAt);
      state.sentAt = undefined;
      state.answers += 1;
      if (status !== 200 && status !== 201 && status !== 204)
        failures.push(`${name}, request ${state.answers}: ${status}`);
      await setTimeout(pauseMs, undefined, { signal: isOver.signal }).catch(() => undefined);
    }
  });
  return {
    names: () => states.filter(({ kind, answers }) => answers < (kind.most ?? Infinity)).map(({ kind }) => kind.name),
    answers: (name) =>
      states.reduce((sum, { kind, answers }) => sum + (name === undefined || kind.name === name ? answers : 0), 0),
    takeLongestMs() {
      const longest = states.map(({ kind, longestMs, sentAt }) => {
        const underWayMs = sentAt === undefined ? 0 : performance.now() - sentAt;
        return [kind.name, Math.round(Math.max(longestMs, underWayMs))] as const;
      });
      for (const state of states) state.longestMs = 0;
      return Object.fromEntries(longest);
    },
    async stop() {
      isOver.abort();
      await Promise.all(sending);
      return failures;
    },
  };
}

async function statusOf(address: string, token: string, method = "GET", body?: unknown): Promise<[number, string]> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return [response.status, await response.text()];
}

const lists = [
  "/grants-api?limit=5",
  "/contracts-api?limit=5&status=open",
  "/funders-api?limit=5&sort_by=name&order=asc",
  "/grants-api?limit=2&status=open&sort_by=deadline_date&order=asc",
];
const searches = [
  "/grants-api?limit=5&search=rural+health&search_mode=hybrid",
  "/contracts-api?limit=5&search=repair&search_mode=keyword",
  "/grants-api?limit=5&search=clean+water+for+schools&search_mode=semantic",
];

/** Requests of people who have a key: lists and ranked searches, one address after the other. */
export function keyRequests(baseUrl: string, key: string): RequestKind[] {
  const inTurn = (name: string, addresses: readonly string[]): RequestKind => {
    let sent = 0;
    return {
      name,
      pauseMs: 20,
      async send() {
        const address = addresses[sent++ % addresses.length] ?? "";
        return (await statusOf(`${baseUrl}${address}`, key))[0];
      },
    };
  };
  return [inTurn("lists", lists), inTurn("searches", searches)];
}

/** Requests that count against a quota of 100 a day: fewer than that. */
export const countedRequests = (baseUrl: string, key: string): RequestKind => ({
  name: "counted",
  pauseMs: 250,
  most: 60,
  send: async () => (await statusOf(`${baseUrl}/grants-api?limit=1`, key))[0],
});

/** Requests of somebody who signs in: of the account, and to make a webhook and a key, and to end them. */
export async function accountRequests(baseUrl: string, people: People): Promise<RequestKind[]> {
  const person = await people.newPerson();
  const token = await person.token();
  const account = `${baseUrl}/account-api`;
  // The first request makes the account.
  const [status, text] = await statusOf(account, token);
  if (status !== 200) throw new Error(`nobody can sign in: ${status} ${text}`);
  await people.connection.query("select funding.set_tier($1, 'developer')", [person.email]);
  await people.connection.execute("update funding.settings set value = '-1' where name like 'write_limit_%'");
  const madeAndEnded = (
    name: string,
    path: string,
    body: unknown,
    end: (id: string) => [method: string, path: string],
  ): RequestKind => {
    let made: string | undefined;
    return {
      name,
      pauseMs: 50,
      async send() {
        if (made !== undefined) {
          const [method, ending] = end(made);
          made = undefined;
          return (await statusOf(`${account}${ending}`, token, method))[0];
        }
        const [status, text] = await statusOf(`${account}${path}`, token, "POST", body);
        if (status === 201) made = (JSON.parse(text) as { id: string }).id;
        return status;
      },
    };
  };
  return [
    { name: "account", pauseMs: 20, send: async () => (await statusOf(account, token))[0] },
    madeAndEnded("webhooks", "/webhooks", { url: "https://receiver.example/hook", events: ["grant.created"] }, (id) => [
      "DELETE",
      `/webhooks/${id}`,
    ]),
    madeAndEnded("keys", "/keys", { name: "of the upgrade" }, (id) => ["POST", `/keys/${id}/revoke`]),
  ];
}

/** Removes whoever signed in for `accountRequests`, with the limits that were lifted for them. */
export async function removePeople(connection: Connection): Promise<void> {
  await connection.execute(`
    delete from funding.accounts where email like '%@people.example';
    delete from auth.sessions where user_id in (select id from auth.users where email like '%@people.example');
    delete from auth.users where email like '%@people.example';
    update funding.settings set value = default_value where name like 'write_limit_%'`);
}
