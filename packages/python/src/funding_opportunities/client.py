"""The client."""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, Literal, Mapping, Optional, Sequence, Type, cast
from urllib.parse import urlsplit
from uuid import UUID

import httpx

from .http import Requests
from .lists import MAXIMUM_PAGE_SIZE, record_path
from .schema import (
    Award,
    Contracts,
    DocumentAnswer,
    Funders,
    FunderStatistics,
    Grants,
    MultiSearchAnswer,
    SemanticSearchAnswer,
    SuggestionsAnswer,
)


class Client:
    """
    Client of the API. Close it, or use it in a `with` statement; it may be shared by threads.

    Args:
        base_url: The service's address, up to and including /functions/v1. Default: the environment's FUNDING_BASE_URL.
        api_key: The API key, fo_live_... Default: the environment's FUNDING_API_KEY. Whoever sees it can use it.
        timeout_seconds: Longest wait for a connection, and for each part of an answer.
        maximum_attempts: Most attempts at a request, the first among them: answers 429 and 503 and broken connections
            are tried again. 1 never tries again.
        maximum_wait_seconds: Longest wait before a retry. Where the API asks for more, as it does when a day's quota is
            used up, its answer is raised at once.
        transport: How httpx sends requests, for proxies and tests.
        sleep: How to wait, for tests.

    Raises:
        ValueError: the address or the key is missing or malformed.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout_seconds: float = 30.0,
        maximum_attempts: int = 3,
        maximum_wait_seconds: float = 30.0,
        transport: Optional[httpx.BaseTransport] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base_url = _check_base_url(base_url if base_url is not None else os.environ.get("FUNDING_BASE_URL"))
        key = _check_api_key(api_key if api_key is not None else os.environ.get("FUNDING_API_KEY"))
        self._http = httpx.Client(
            base_url=self._base_url + "/",
            headers={"Authorization": f"Bearer {key}", "Accept": "application/json"},
            timeout=timeout_seconds,
            transport=transport,
            # An answer from elsewhere is none of this API's, and must not get the key.
            follow_redirects=False,
        )
        requests = Requests(
            self._http, maximum_attempts=maximum_attempts, maximum_wait_seconds=maximum_wait_seconds, sleep=sleep
        )
        self._requests = requests
        self.grants = Grants(requests)
        self.contracts = Contracts(requests)
        self.funders = Funders(requests)

    def semantic_search(
        self,
        query: Optional[str] = None,
        *,
        similar_to: Optional[str] = None,
        type: Optional[Literal["grants", "contracts"]] = None,
        limit: Optional[int] = None,
        explain: Optional[bool] = None,
        highlight: Optional[bool] = None,
    ) -> SemanticSearchAnswer:
        """
        Grants and contracts by meaning, the most relevant first.

        Finds opportunities whether upcoming, open or closed; nothing awarded, nothing archived. `status` and
        `deadline_date` tell which can still be applied for.

        Args:
            query: Text to search for, in your own words. Either this or `similar_to`.
            similar_to: Id of a grant, contract or funder: finds what means the same as this record.
            type: Dataset to search. Default: both.
            limit: Maximum number of results, up to 100. Default: 10.
            explain: Also say what was understood of the query, and the parts of each result's score. Default: False.
            highlight: Also show the best passages of each result, with what to mark in them. Default: False.
        """
        body: Dict[str, Any] = {}
        if query is not None:
            body["query"] = query
        if similar_to is not None:
            body["similar_to"] = similar_to
        if type is not None:
            body["type"] = type
        if limit is not None:
            body["limit"] = limit
        if explain is not None:
            body["explain"] = explain
        if highlight is not None:
            body["highlight"] = highlight
        return cast(SemanticSearchAnswer, self._requests.post("semantic-search", body))

    def multi_search(self, searches: Sequence[Mapping[str, Any]]) -> MultiSearchAnswer:
        """
        Makes up to ten searches in one request. Each counts as a request, and may fail alone: look at its `status`.

        Args:
            searches: Searches, each with its `endpoint` (grants-api, contracts-api, funders-api or semantic-search) and
                the `parameters` of its body.
        """
        body = {"searches": [dict(search) for search in searches]}
        return cast(MultiSearchAnswer, self._requests.post("multi-search", body))

    def awards(self, id: str | UUID, *, details: bool = False) -> Iterator[Award]:
        """
        Awards of the grant opportunity with this id, newest first, to the end: `link` and `certainty` say how each belongs to it.

        Raises:
            LookupError: there is no such record.
            ValueError: the id is empty.
        """
        query = {"limit": str(MAXIMUM_PAGE_SIZE), **({"expand": "details"} if details else {})}
        path = f"{record_path('grants-api', id)}/awards"
        while True:
            body = self._requests.get(path, query)
            if body is None:
                raise LookupError(f"grants-api has no record {id}")
            yield from body["results"]
            cursor = body["pagination"]["next"]
            if cursor is None:
                return
            query["cursor"] = cursor

    def statistics(self, funder_id: str | UUID) -> FunderStatistics:
        """
        What a funder has open, and what it awarded, by fiscal year, programme and recipient.

        Raises:
            LookupError: there is no such funder.
            ValueError: the id is empty.
        """
        body = self._requests.get(f"{record_path('funders-api', funder_id)}/statistics", {})
        if body is None:
            raise LookupError(f"funders-api has no record {funder_id}")
        return cast(FunderStatistics, body)

    def document(
        self, id: str | UUID, *, page: Optional[int] = None, limit: Optional[int] = None, offset: Optional[int] = None
    ) -> DocumentAnswer:
        """
        A document of grants or contracts: its records, the facts that it states, and its passages in order, each with the page to cite.

        Args:
            id: The `document_id` of a passage, or the `id` of one of `documents_read`.
            page: A page of it, from 1: the passages that are on it alone.
            limit: Maximum number of passages, up to 100. Default: 20.
            offset: Passages to skip. Default: 0.

        Raises:
            LookupError: there is no such document.
            ProblemError: the document has no such page.
            ValueError: the id is empty.
        """
        given = {"page": page, "limit": limit, "offset": offset}
        query = {name: str(value) for name, value in given.items() if value is not None}
        body = self._requests.get(record_path("documents", id), query)
        if body is None:
            raise LookupError(f"there is no document {id}")
        return cast(DocumentAnswer, body)

    def suggest(self, q: str, *, kinds: Optional[Sequence[str]] = None, limit: Optional[int] = None) -> SuggestionsAnswer:
        """
        Completes what somebody types, the best first, with how many current records each suggestion finds.

        Args:
            q: What was typed so far. Its words may be beginnings of words.
            kinds: Kinds of suggestions: agency, funder, category, assistance_listing, naics, psc, set_aside, word,
                title.
                Default: all.
            limit: Maximum number of suggestions, up to 20. Default: 10.
        """
        query = {"q": q}
        if kinds is not None:
            query["kinds"] = ",".join(kinds)
        if limit is not None:
            query["limit"] = str(limit)
        return cast(SuggestionsAnswer, self._requests.get("suggest", query))

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        exception_type: Optional[Type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client(base_url={self._base_url!r})"


def _check_base_url(base_url: Optional[str]) -> str:
    expected = "expected the service's address, up to and including /functions/v1: https://api.example.org/functions/v1"
    if base_url is None or base_url.strip() == "":
        raise ValueError(f"base_url is missing; {expected}")
    text = base_url.strip().rstrip("/")
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError(f"base_url is not an http or https address ({text[:80]!r}); {expected}")
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"base_url has a user name or a password in it; {expected}")
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise ValueError(f"base_url has a query or a fragment; {expected}")
    return text


def _check_api_key(api_key: Optional[str]) -> str:
    expected = "expected an API key, fo_live_ and 38 characters"
    key = (api_key or "").strip()
    if key == "":
        raise ValueError(f"api_key is missing; {expected}")
    if not all("!" <= character <= "~" for character in key):
        raise ValueError(f"api_key has space, control or non-ASCII characters in it; {expected}")
    return key
