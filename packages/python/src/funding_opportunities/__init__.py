"""Client of the Funding Opportunities Data API: US grants, contracts and funders."""

from .client import Client
from .errors import FundingError, ProblemError, UnexpectedResponseError
from .lists import Archived, Listing, MirrorBatch, Page
from .schema import (
    Award,
    Contract,
    DocumentAnswer,
    FoundOpportunity,
    Funder,
    FunderStatistics,
    Grant,
    MultiSearchAnswer,
    OpportunityDetails,
    ProblemDocument,
    SemanticSearchAnswer,
    Suggestion,
    SuggestionsAnswer,
    WebhookEvent,
)
from .webhooks import WebhookVerificationError, verify_signature_header, verify_webhook

__all__ = [
    "Archived",
    "Award",
    "Client",
    "Contract",
    "DocumentAnswer",
    "FoundOpportunity",
    "Funder",
    "FunderStatistics",
    "FundingError",
    "Grant",
    "Listing",
    "MirrorBatch",
    "MultiSearchAnswer",
    "OpportunityDetails",
    "Page",
    "ProblemDocument",
    "ProblemError",
    "SemanticSearchAnswer",
    "Suggestion",
    "SuggestionsAnswer",
    "UnexpectedResponseError",
    "WebhookEvent",
    "WebhookVerificationError",
    "verify_signature_header",
    "verify_webhook",
]
