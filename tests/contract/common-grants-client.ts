import { expect } from "vitest";
import { apiClient, readJson } from "./client.ts";
import type { Caller, Target } from "./target.ts";

export const path = "/common-grants/opportunities";
export const pageSize = 100;
/** A larger catalogue is compared as far as this. */
export const mostPages = 60;

export interface Money {
  amount: string;
  currency: string;
}
export interface Opportunity {
  id: string;
  title: string;
  status: { value: string; customValue?: string };
  description: string;
  funding?: Partial<Record<"totalAmountAvailable" | "minAwardAmount" | "maxAwardAmount", Money>> & {
    estimatedAwardCount?: number;
  };
  keyDates?: Partial<Record<"postDate" | "closeDate", { date: string; time?: string }>>;
  acceptedApplicantTypes?: { value: string }[];
  source?: string;
  customFields?: Record<string, { name: string; fieldType: string; value: unknown }>;
  createdAt: string;
  lastModifiedAt: string;
}
export interface Page {
  items: Opportunity[];
  paginationInfo: { page: number; pageSize: number; totalItems: number; totalPages: number };
}
export interface Found extends Page {
  sortInfo: { sortBy: string; customSortBy?: string; sortOrder: string; errors?: string[] };
  filterInfo: { filters: Record<string, unknown>; errors?: string[] };
}
export interface Failure {
  status: number;
  message: string;
  errors: { field: string; message: string }[];
}

/** The amount of a sum of money, as a number. */
export const amountOf = (money: Money | undefined) => (money === undefined ? undefined : Number(money.amount));

/** An amount in US dollars. */
export function usd(amount: string): Money {
  return { amount, currency: "USD" };
}

/** CommonGrants at a target. */
export function commonGrantsClient(target: Target) {
  const client = apiClient(target);

  async function list(page: number, size = pageSize): Promise<Page> {
    return (await client.json(`${path}?page=${page}&pageSize=${size}`)) as Page;
  }

  function post(
    body: BodyInit,
    headers: Record<string, string> = { "content-type": "application/json" },
    caller?: Caller,
  ) {
    return target.send(`${path}/search`, { method: "POST", body, headers }, caller);
  }

  async function search(body: object): Promise<Found> {
    const text = JSON.stringify(body);
    return (await readJson(await post(text), 200, text)) as Found;
  }

  /** Every opportunity, in the order of the list; the first `mostPages` pages where it is larger. */
  async function readAll(): Promise<{ all: Opportunity[]; isWhole: boolean }> {
    const first = await list(1);
    const all = [...first.items];
    const pages = Math.min(first.paginationInfo.totalPages, mostPages);
    for (let page = 2; page <= pages; page++) all.push(...(await list(page)).items);
    return { all, isWhole: pages === first.paginationInfo.totalPages };
  }

  /** Expects a search to find exactly these opportunities, which are taken from the list of all. */
  async function expectFound(body: Record<string, unknown>, expected: readonly Opportunity[]): Promise<Found> {
    const first = await search({ ...body, pagination: { pageSize } });
    expect(first.paginationInfo, JSON.stringify(body)).toEqual({
      page: 1,
      pageSize,
      totalItems: expected.length,
      totalPages: Math.ceil(expected.length / pageSize),
    });
    expect(first.items).toEqual(expected.slice(0, pageSize));
    const { totalPages } = first.paginationInfo;
    for (const page of new Set([Math.ceil(totalPages / 2), totalPages])) {
      if (page <= 1) continue;
      const { items } = await search({ ...body, pagination: { page, pageSize } });
      expect(items).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
    }
    return first;
  }

  return { client, list, post, search, readAll, expectFound };
}
