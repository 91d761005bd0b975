"""Requests, and when they are made again."""

from __future__ import annotations

import random
import time
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union

import httpx

from .errors import UnexpectedResponseError, error_of

RETRIED_STATUSES = frozenset({429, 503})
#: Seconds before the first retry where the API names none.
FIRST_WAIT_SECONDS = 0.5


class Requests:
    """Sends requests, and again those that met a full or restarting service. All of them only read."""

    def __init__(
        self,
        http: httpx.Client,
        *,
        maximum_attempts: int,
        maximum_wait_seconds: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.http = http
        self._maximum_attempts = maximum_attempts
        self._maximum_wait_seconds = maximum_wait_seconds
        self._sleep = sleep

    def get(self, path: str, query: Optional[Mapping[str, Union[str, Sequence[str]]]] = None) -> Optional[Any]:
        """Body of an answer; None where there is no such record."""
        response = self._send("GET", path, params=dict(query or {}))
        return None if response.status_code == 404 and _is_not_found(response) else _body(response)

    def post(self, path: str, body: Dict[str, Any]) -> Any:
        """Body of the answer to a search."""
        return _body(self._send("POST", path, json=body))

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        attempt = 1
        while True:
            is_last = attempt >= self._maximum_attempts
            try:
                response = self.http.request(method, path, **options)
            except httpx.TransportError:
                if is_last:
                    raise
                wait = _backoff(attempt)
            else:
                if is_last or response.status_code not in RETRIED_STATUSES:
                    return response
                named = _named_wait(response)
                wait = _backoff(attempt) if named is None else named
                # When a day's quota is used up, for example.
                if wait > self._maximum_wait_seconds:
                    return response
            self._sleep(wait)
            attempt += 1


def _body(response: httpx.Response) -> Any:
    if not response.is_success:
        raise error_of(response)
    try:
        return response.json()
    except ValueError:
        raise UnexpectedResponseError(response.status_code, response.text[:200]) from None


def _is_not_found(response: httpx.Response) -> bool:
    """Whether the API says that there is no such record, and not that there is no such route."""
    try:
        body = response.json()
    except ValueError:
        return False
    return isinstance(body, dict) and str(body.get("type", "")).endswith(":problem:not-found")


def _backoff(attempt: int) -> float:
    return float(FIRST_WAIT_SECONDS * 2 ** (attempt - 1) * random.uniform(0.75, 1.25))


def _named_wait(response: httpx.Response) -> Optional[float]:
    """Seconds that `Retry-After` names, as a number or a date."""
    text = response.headers.get("retry-after", "")
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return float(max(0.0, (moment - datetime.now(timezone.utc)).total_seconds()))
