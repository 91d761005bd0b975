import { Link } from "wouter";
import { useRequests } from "../api/requests.ts";
import { Card } from "../components/card.tsx";
import { RequestTable } from "./table.tsx";

/** The last five requests; nothing where there are none. */
export function LatestRequests() {
  const requests = useRequests("", { limit: 5 }).data?.pages[0]?.requests ?? [];
  if (requests.length === 0) return null;
  return (
    <Card title="Latest requests" isFlush actions={<Link href="/requests">All requests</Link>}>
      <RequestTable requests={requests} />
    </Card>
  );
}
