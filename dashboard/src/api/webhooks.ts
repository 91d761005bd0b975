import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { z } from "zod";
import type {
  issuedWebhook,
  startedRecovery,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookPreview,
  webhookDeliveryPage,
  webhookList,
} from "../../../shared/responses/account/webhooks.ts";
import type { EventName } from "../../../shared/webhooks/events.ts";
import type { WebhookDraft } from "../webhooks/draft.ts";
import { deliveryRefreshMs } from "./delivery-refresh.ts";
import { useChange, usePages, useRead } from "./queries.ts";
import type { AccountRequest } from "./request.ts";

export type { EventName, Webhook, WebhookDelivery, WebhookDeliveryDetails };
export type IssuedWebhook = z.infer<typeof issuedWebhook>;

/** Settings whose deliveries are counted before they are saved, with the id of the webhook that is to be changed. */
export type WebhookPreviewInput = Pick<WebhookDraft, "events" | "filters" | "deadline_days"> & { id?: string };

export function useWebhooks() {
  return useRead<z.infer<typeof webhookList>, Webhook[]>(["webhooks"], "/webhooks", {
    select: ({ webhooks }) => webhooks,
  });
}

export function useWebhook(id: string) {
  return useRead<Webhook>(["webhooks", id], `/webhooks/${id}`);
}

/** Reads a webhook and the counts again when its deliveries changed: an answer of 410 disables it, and failures change its state. */
export function useFollowDeliveries(id: string, deliveries: readonly WebhookDelivery[] | undefined): void {
  const queries = useQueryClient();
  const seen = deliveries?.map(({ event_id, state, attempts }) => `${event_id} ${state} ${attempts}`).join();
  const before = useRef(seen);
  useEffect(() => {
    const hasChanged = before.current !== undefined && before.current !== seen;
    before.current = seen;
    if (!hasChanged) return;
    void queries.invalidateQueries({ queryKey: ["webhooks", id], exact: true });
    void queries.invalidateQueries({ queryKey: ["webhooks", id, "count"] });
  }, [queries, id, seen]);
}

/** A webhook's deliveries, page by page; `state` filters them. */
export function useDeliveries(
  { id, state: webhookState }: Pick<Webhook, "id" | "state">,
  state: WebhookDelivery["state"] | undefined,
) {
  const query = new URLSearchParams({ limit: "20", ...(state && { state }) });
  return usePages<z.infer<typeof webhookDeliveryPage>>(
    ["webhooks", id, "deliveries", state],
    `/webhooks/${id}/deliveries`,
    query,
    { intervalMsOf: (page) => deliveryRefreshMs(page?.deliveries ?? [], webhookState === "active") },
  );
}

/** Time between refreshes of figures that read many deliveries. */
const figuresRefreshMs = 60_000;

/** The newest 50 deliveries of a webhook. */
export function useLatestDeliveries(id: string) {
  return useRead<z.infer<typeof webhookDeliveryPage>, WebhookDelivery[]>(
    ["webhooks", id, "latest"],
    `/webhooks/${id}/deliveries?limit=50`,
    { select: ({ deliveries }) => deliveries, refetchInterval: figuresRefreshMs },
  );
}

/** Number of a webhook's deliveries in a state, as a text: "100+" where there are more than a page has. */
export function useDeliveryCount(id: string, state: "pending" | "failed") {
  return useRead<z.infer<typeof webhookDeliveryPage>, string>(
    ["webhooks", id, "count", state],
    `/webhooks/${id}/deliveries?state=${state}&limit=100`,
    {
      select: ({ deliveries, next }) => `${deliveries.length}${next === null ? "" : "+"}`,
      refetchInterval: figuresRefreshMs,
    },
  );
}

export function useDelivery({ id, state: webhookState }: Pick<Webhook, "id" | "state">, eventId: string) {
  return useRead<WebhookDeliveryDetails>(
    ["webhooks", id, "delivery", eventId],
    `/webhooks/${id}/deliveries/${eventId}`,
    {
      refetchInterval: ({ state: { data } }) =>
        data?.state === "pending" ? deliveryRefreshMs([data], webhookState === "active") : false,
    },
  );
}

/** Deliveries at once of settings (`WebhookPreviewInput`, as JSON) that are not saved yet. Those that are refused have none. */
export function usePreview(settings: string) {
  return useRead<WebhookPreview>(["webhook-preview", settings], "/webhooks/preview", {
    sent: { method: "POST", body: JSON.parse(settings) },
    retry: false,
    refetchInterval: false,
  });
}

export function useCreateWebhook() {
  return useWebhookChange((request, draft: WebhookDraft) =>
    request<IssuedWebhook>("/webhooks", { method: "POST", body: draft }),
  );
}

export function useUpdateWebhook(id: string) {
  return useWebhookChange((request, changes: Partial<WebhookDraft> & { state?: "active" | "paused" }) =>
    request<Webhook>(`/webhooks/${id}`, { method: "PATCH", body: changes }),
  );
}

export function useDeleteWebhook(id: string) {
  return useWebhookChange((request, _: undefined) => request(`/webhooks/${id}`, { method: "DELETE" }));
}

export function useRotateWebhookSecret(id: string) {
  return useWebhookChange((request, overlap_seconds: number) =>
    request<IssuedWebhook>(`/webhooks/${id}/rotate`, { method: "POST", body: { overlap_seconds } }),
  );
}

export function useTestEvent(id: string) {
  return useWebhookChange((request, event: EventName) =>
    request<WebhookDelivery>(`/webhooks/${id}/test`, { method: "POST", body: { event } }),
  );
}

export function useResend(id: string) {
  return useWebhookChange((request, eventId: string) =>
    request(`/webhooks/${id}/deliveries/${eventId}/resend`, { method: "POST" }),
  );
}

export function useRecover(id: string) {
  return useWebhookChange((request, range: { since: string; until?: string }) =>
    request<z.infer<typeof startedRecovery>>(`/webhooks/${id}/recover`, { method: "POST", body: range }),
  );
}

function useWebhookChange<Input, Answer>(change: (request: AccountRequest, input: Input) => Promise<Answer>) {
  return useChange(["webhooks"], change);
}
