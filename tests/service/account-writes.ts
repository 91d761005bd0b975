import { expect } from "vitest";
import type { Person } from "../support/people.ts";
import type { TestService } from "../support/service.ts";

/** A request of the account API. */
export interface AccountRequest {
  method: string;
  path: string;
  body?: object;
}

/** Sends a person's requests to the account API. */
export class AccountClient {
  constructor(private readonly service: TestService) {}

  /** Somebody signed in whose account has a subscription. */
  async newSubscriber(): Promise<Person> {
    const person = await this.service.people.newPerson();
    await this.send(person, { method: "GET", path: "" });
    await this.service.connection.query("select funding.set_tier($1, 'developer')", [person.email]);
    return person;
  }

  /** Saves a search. @returns its id. */
  newSavedSearch(person: Person): Promise<string> {
    return this.#make(person, newSavedSearch);
  }

  async send(person: Person, { method, path, body }: AccountRequest, headers: object = {}): Promise<Response> {
    return this.service.fetch(`/account-api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await person.token()}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Creates a key. @returns its id. */
  newKey(person: Person): Promise<string> {
    return this.#make(person, newKey);
  }

  /** Creates a webhook. @returns its id. */
  newWebhook(person: Person): Promise<string> {
    return this.#make(person, newWebhook);
  }

  /** Invites an address to a person's account. @returns the invitation's id. */
  invite(person: Person, email: string): Promise<string> {
    return this.#make(person, { method: "POST", path: "/invitations", body: { email, role: "member" } });
  }

  /** Somebody new in a person's account. @returns the member's id. */
  async newMember(person: Person): Promise<string> {
    const member = await this.service.people.newPerson();
    const id = await this.invite(person, member.email);
    const response = await this.send(member, { method: "POST", path: `/invitations/${id}/accept` });
    expect(response.status).toBe(200);
    const listed = await this.send(person, { method: "GET", path: "/members" });
    const { members } = (await listed.json()) as { members: { id: string; email: string }[] };
    return members.find(({ email }) => email === member.email)?.id ?? "";
  }

  /** Makes a person's account one that has paid at Stripe. */
  async attachCustomer(person: Person): Promise<void> {
    const customer = `cus_${crypto.randomUUID().replaceAll("-", "")}`;
    await this.service.connection.query("select funding.attach_customer($1, $2)", [person.email, customer]);
  }

  /** Lets a second customer at Stripe offer to pay for a person's account. @returns the offer's id. */
  async offerCustomer(person: Person): Promise<string> {
    await this.attachCustomer(person);
    const [offer] = await this.service.connection.query<{ id: string }>(
      `insert into funding.offered_customers (customer_id, account_id)
       select $1, id from funding.accounts where auth_user_id = $2 returning id`,
      [`cus_${crypto.randomUUID().replaceAll("-", "")}`, person.userId],
    );
    return offer?.id ?? "";
  }

  /** Sells the tier `developer`. */
  async sellTier(): Promise<void> {
    await this.service.connection.query("select funding.set_price('price_ofTheWrites', 'developer')");
  }

  async #make(person: Person, request: AccountRequest): Promise<string> {
    const response = await this.send(person, request);
    const { id } = (await response.json()) as { id: string };
    expect(response.status, request.path).toBe(201);
    return id;
  }
}

const newKey = { method: "POST", path: "/keys", body: { name: "a key" } };
const newWebhook = {
  method: "POST",
  path: "/webhooks",
  body: { url: "https://hooks.example.org/", events: ["grant.created"] },
};

const newInvitation = () => ({
  method: "POST",
  path: "/invitations",
  body: { email: `invited-${crypto.randomUUID()}@people.example`, role: "member" },
});

const newSavedSearch = {
  method: "POST",
  path: "/saved-searches",
  body: { name: "Water", dataset: "grants", query: "search=water" },
};

interface Write {
  /** As the setting behind `write_limit_` has it. */
  kind: string;
  /** Makes what the write is about, and returns the write. */
  prepare(client: AccountClient, person: Person): Promise<AccountRequest>;
}

/** Every write of the account API, by its route. */
export const accountWrites: Record<string, Write> = {
  "POST /keys": { kind: "key_creations", prepare: async () => newKey },
  "PATCH /keys/{id}": {
    kind: "key_changes",
    prepare: async (client, person) => ({
      method: "PATCH",
      path: `/keys/${await client.newKey(person)}`,
      body: { daily_quota: 5 },
    }),
  },
  "POST /explorer-key": { kind: "explorer_keys", prepare: async () => ({ method: "POST", path: "/explorer-key" }) },
  "POST /keys/{id}/rotate": {
    kind: "key_rotations",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/keys/${await client.newKey(person)}/rotate`,
      body: {},
    }),
  },
  "POST /keys/{id}/revoke": {
    kind: "key_revocations",
    prepare: async (client, person) => ({ method: "POST", path: `/keys/${await client.newKey(person)}/revoke` }),
  },
  "POST /webhooks": { kind: "webhook_creations", prepare: async () => newWebhook },
  "PATCH /webhooks/{id}": {
    kind: "webhook_changes",
    prepare: async (client, person) => ({
      method: "PATCH",
      path: `/webhooks/${await client.newWebhook(person)}`,
      body: { description: "another" },
    }),
  },
  "DELETE /webhooks/{id}": {
    kind: "webhook_deletions",
    prepare: async (client, person) => ({ method: "DELETE", path: `/webhooks/${await client.newWebhook(person)}` }),
  },
  "POST /webhooks/{id}/rotate": {
    kind: "webhook_secret_rotations",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/webhooks/${await client.newWebhook(person)}/rotate`,
      body: {},
    }),
  },
  "POST /webhooks/{id}/test": {
    kind: "test_deliveries",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/webhooks/${await client.newWebhook(person)}/test`,
      body: { event: "grant.created" },
    }),
  },
  "POST /webhooks/{id}/deliveries/{event_id}/resend": {
    kind: "redeliveries",
    async prepare(client, person) {
      const path = `/webhooks/${await client.newWebhook(person)}`;
      const sent = await client.send(person, {
        method: "POST",
        path: `${path}/test`,
        body: { event: "grant.created" },
      });
      const { event_id } = (await sent.json()) as { event_id: string };
      return { method: "POST", path: `${path}/deliveries/${event_id}/resend` };
    },
  },
  "POST /saved-searches": { kind: "saved_search_creations", prepare: async () => newSavedSearch },
  "PATCH /saved-searches/{id}": {
    kind: "saved_search_changes",
    prepare: async (client, person) => ({
      method: "PATCH",
      path: `/saved-searches/${await client.newSavedSearch(person)}`,
      body: { name: "another" },
    }),
  },
  "POST /saved-searches/{id}/seen": {
    kind: "saved_search_marks",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/saved-searches/${await client.newSavedSearch(person)}/seen`,
      body: {},
    }),
  },
  "PATCH ": {
    kind: "account_changes",
    prepare: async () => ({ method: "PATCH", path: "", body: { keeps_search_text: true } }),
  },
  "DELETE /saved-searches/{id}": {
    kind: "saved_search_deletions",
    prepare: async (client, person) => ({
      method: "DELETE",
      path: `/saved-searches/${await client.newSavedSearch(person)}`,
    }),
  },
  "POST /saved-searches/{id}/address": {
    kind: "saved_search_addresses",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/saved-searches/${await client.newSavedSearch(person)}/address`,
    }),
  },
  "POST /saved-searches/{id}/address/revoke": {
    kind: "saved_search_revocations",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/saved-searches/${await client.newSavedSearch(person)}/address/revoke`,
    }),
  },
  "POST /invitations": { kind: "invitation_creations", prepare: async () => newInvitation() },
  "DELETE /invitations/{id}": {
    kind: "invitation_withdrawals",
    prepare: async (client, person) => ({
      method: "DELETE",
      path: `/invitations/${await client.invite(person, newInvitation().body.email)}`,
    }),
  },
  "POST /invitations/{id}/accept": {
    kind: "invitation_acceptances",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/invitations/${await client.invite(await client.newSubscriber(), person.email)}/accept`,
    }),
  },
  "POST /invitations/{id}/decline": {
    kind: "invitation_refusals",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/invitations/${await client.invite(await client.newSubscriber(), person.email)}/decline`,
    }),
  },
  "PATCH /members/{id}": {
    kind: "member_changes",
    prepare: async (client, person) => ({
      method: "PATCH",
      path: `/members/${await client.newMember(person)}`,
      body: { role: "owner" },
    }),
  },
  "DELETE /members/{id}": {
    kind: "member_removals",
    prepare: async (client, person) => ({ method: "DELETE", path: `/members/${await client.newMember(person)}` }),
  },
  "POST /memberships/decline": {
    kind: "invitation_clearances",
    async prepare(client, person) {
      await client.invite(await client.newSubscriber(), person.email);
      return { method: "POST", path: "/memberships/decline" };
    },
  },
  "POST /billing/offers/{id}/accept": {
    kind: "customer_acceptances",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/billing/offers/${await client.offerCustomer(person)}/accept`,
    }),
  },
  "POST /billing/offers/{id}/refuse": {
    kind: "customer_refusals",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/billing/offers/${await client.offerCustomer(person)}/refuse`,
    }),
  },
  "POST /billing/checkout": {
    kind: "checkouts",
    async prepare(client) {
      await client.sellTier();
      return { method: "POST", path: "/billing/checkout", body: { tier: "developer" } };
    },
  },
  "POST /billing/portal": {
    kind: "portal_sessions",
    async prepare(client, person) {
      await client.attachCustomer(person);
      return { method: "POST", path: "/billing/portal" };
    },
  },
  "POST /webhooks/{id}/recover": {
    kind: "recoveries",
    prepare: async (client, person) => ({
      method: "POST",
      path: `/webhooks/${await client.newWebhook(person)}/recover`,
      body: { since: new Date(Date.now() - 60_000) },
    }),
  },
};
