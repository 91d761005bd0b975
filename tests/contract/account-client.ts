import { account } from "../../shared/responses/account/account.ts";
import { accountKeys, issuedKey } from "../../shared/responses/account/keys.ts";
import type { People, Person } from "../support/people.ts";
import { parse, readJson } from "./client.ts";
import { problemDocument } from "./schemas.ts";
import type { Target } from "./target.ts";

/** A request to the account API. Without a method it is a GET, and without a body it has none. */
export interface Ask {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Those who can sign in at a target. @throws where nobody can be signed in. */
export function peopleOf(target: Target): People {
  const people = target.people();
  if (people === undefined) throw new Error("nobody can be signed in");
  return people;
}

/** The problem of an answer that must be a refusal. */
export async function refused(response: Response, status: number) {
  return parse(problemDocument, await readJson(response, status, response.url), response.url);
}

/** The account API of a target, as people and operators use it. */
export function accountClient(target: Target) {
  /** A request with a token, or without one. */
  async function ask(path: string, token: string | undefined, { method = "GET", body, headers }: Ask = {}) {
    return target.send(
      `/account-api${path}`,
      {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      "nobody",
    );
  }

  const askAs = async (person: Person, path: string, given?: Ask) => ask(path, await person.token(), given);

  async function read<Output>(
    person: Person,
    path: string,
    schema: Parameters<typeof parse<Output>>[0],
    given?: Ask,
    status = 200,
  ) {
    return parse(schema, await readJson(await askAs(person, path, given), status, path), path);
  }

  const newKey = (person: Person, body: object = { name: "a key" }) =>
    read(person, "/keys", issuedKey, { method: "POST", body }, 201);
  const rotate = (person: Person, id: string, body: object = {}) =>
    read(person, `/keys/${id}/rotate`, issuedKey, { method: "POST", body }, 201);
  const keysOf = async (person: Person) => (await read(person, "/keys", accountKeys)).keys;

  /** The status of a data request with a key. */
  const statusWith = async (key: string) => (await target.send("/funders-api?limit=1", {}, { key })).status;

  /** Puts a person's account on a tier, as an operator does. */
  async function putOnTier(person: Person, tier: string, subscription: { status?: string; end?: string } = {}) {
    await read(person, "", account);
    await peopleOf(target).connection.query("select funding.set_tier($1, $2)", [person.email, tier]);
    await peopleOf(target).connection.query(
      `update funding.subscriptions set status = $2, current_period_end = now() + $3::interval
       where account_id = funding.account_id($1)`,
      [person.email, subscription.status ?? "active", subscription.end ?? null],
    );
  }

  return { ask, askAs, read, newKey, rotate, keysOf, statusWith, putOnTier };
}
