import { expect } from "vitest";
import type { SavedSearch } from "../../shared/responses/account/saved-searches.ts";
import { AccountClient } from "../service/account-writes.ts";
import type { Person } from "../support/people.ts";
import type { TestService } from "../support/service.ts";

export type Issued = SavedSearch & { token: string };

/** Saved searches of people, through the account API and their addresses. */
export class SavedSearches {
  readonly client: AccountClient;

  constructor(private readonly service: TestService) {
    this.client = new AccountClient(service);
  }

  /** Sends a request of the account API, and returns its answer's body. */
  async ask<Body>(person: Person, method: string, path: string, body?: object, status = 200): Promise<Body> {
    const response = await this.client.send(person, { method, path, ...(body === undefined ? {} : { body }) });
    const answer = await response.json();
    expect(response.status, JSON.stringify(answer)).toBe(status);
    return answer as Body;
  }

  save(person: Person, query: string, given: { name?: string; dataset?: string } = {}): Promise<SavedSearch> {
    return this.ask(person, "POST", "/saved-searches", { name: "Water", dataset: "grants", query, ...given }, 201);
  }

  read(person: Person, id: string): Promise<SavedSearch> {
    return this.ask(person, "GET", `/saved-searches/${id}`);
  }

  issue(person: Person, id: string): Promise<Issued> {
    return this.ask(person, "POST", `/saved-searches/${id}/address`, undefined, 201);
  }

  /** Reads a document at a secret address, without a key. */
  get(token: string, document: "feed.atom" | "deadlines.ics", headers: Record<string, string> = {}): Promise<Response> {
    return this.service.fetch(`/saved-searches/${token}/${document}`, { headers });
  }

  /** Writes records as an import does. */
  async load(dataset: string, ...records: object[]): Promise<void> {
    const sql = "select funding.upsert_records($1, $2::jsonb)";
    await this.service.connection.query(sql, [dataset, JSON.stringify(records)]);
  }
}

/** A grant as an import writes it. */
export function grant(source_id: string, changes: object = {}) {
  return {
    source: "saved",
    source_id,
    title: `Kelp nursery ${source_id}`,
    description: "Growing kelp.",
    status: "open",
    classification: "opportunity",
    funder_name: "Office of Kelp",
    ...changes,
  };
}
