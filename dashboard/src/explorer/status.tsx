import { Badge } from "../components/badge.tsx";

/** Status of an opportunity in a word, as published. */
export function RecordStatus({ status }: { status: string }) {
  const isOpen = status === "open" || status === "posted";
  return <Badge tone={isOpen ? "good" : "plain"}>{status.charAt(0).toUpperCase() + status.slice(1)}</Badge>;
}

/** What a check of a record's address says. */
export const linkWords: Readonly<Record<string, string>> = {
  ok: "The link works",
  failing: "The link did not work when it was checked last",
  broken: "The link is broken",
  unknown: "Its host lets no program check the link",
};
