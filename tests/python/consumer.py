"""A program whose types are checked: what the client gives, and what it refuses."""

from typing import Optional

from funding_opportunities import Client, Funder, Grant, MirrorBatch, WebhookEvent, verify_webhook

client = Client("https://api.example.org/functions/v1", "fo_live_x")

for grant in client.grants.list(states=["OH"], applicant_type=["government_county"], expand=["details"]):
    amount: Optional[float] = grant["amount_max"]
    title: str = grant["title"]
    details = grant.get("details")
    if details is not None:
        deadline: Optional[str] = details["deadline_at"]

page = client.grants.list(facets=["status"], archived_as_ids=True).page()
for facet in page.get("facets", {}).get("status", []):
    value: str = facet["value"]
    count: int = facet["count"]
for gone in page.get("archived", []):
    archived_at: str = gone["archived_at"]

found: Optional[Grant] = client.grants.get("id")
funders: "list[Funder]" = list(client.funders.list(search="health"))
batches: "list[MirrorBatch[Grant]]" = list(client.grants.list().mirror())
event: WebhookEvent = verify_webhook(b"", {}, "whsec_")
if event["event"] == "grant.updated":
    for change in event["changes"]:
        field: str = change["field"]

client.grants.list(states=["XX"])  # type: ignore[list-item]
client.grants.list(sort_by="colour")  # type: ignore[arg-type]
client.grants.list(colour="red")  # type: ignore[call-arg]
wrong: int = client.grants.list().page()["results"][0]["title"]  # type: ignore[assignment]
