import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OfferedCustomer, StripePage, Tier, TierList } from "../../../shared/responses/account/billing.ts";
import { useAccountRequest } from "./context.tsx";
import { useChange, useRead } from "./queries.ts";
import { refreshMs } from "./refresh.ts";

export type { OfferedCustomer, Tier, TierList };

/** @param everyMs time between refreshes, where a change is awaited. */
export function useTiers(everyMs = refreshMs) {
  return useRead<TierList>(["tiers"], "/tiers", { refetchInterval: everyMs });
}

/** Customers at Stripe who would pay for the account, of whom no owner has said so. */
export function useOffers() {
  return useRead<{ offers: OfferedCustomer[] }, OfferedCustomer[]>(["billing-offers"], "/billing/offers", {
    select: ({ offers }) => offers,
  });
}

/** An owner's decision about one of them. */
export function useDecideOffer() {
  return useChange(
    ["billing-offers", "tiers", "account", "audit-log"],
    (request, { id, decision }: { id: string; decision: "accept" | "refuse" }) =>
      request<{ id: string; accepted: boolean }>(`/billing/offers/${id}/${decision}`, { method: "POST" }),
  );
}

/** A page at Stripe: to subscribe to a tier, or to manage the subscription. */
export type PageAtStripe = { page: "checkout"; tier: string } | { page: "portal" };

/** Opens a page at Stripe in place of this one. */
export function useOpenStripe() {
  const request = useAccountRequest();
  const open = useMutation({
    mutationFn: (wanted: PageAtStripe) =>
      request<StripePage>(
        `/billing/${wanted.page}`,
        wanted.page === "checkout" ? { method: "POST", body: { tier: wanted.tier } } : { method: "POST" },
      ),
    // Its answer opens the account's page at Stripe without a sign-in.
    gcTime: 0,
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const { reset } = open;
  useEffect(() => {
    // The browser's back button shows this page as it was left: with a button that waits for Stripe.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [reset]);
  return open;
}
