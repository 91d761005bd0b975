"""Errors of the API, as exceptions."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import httpx


class FundingError(Exception):
    """The API refused a request, failed, or was not what answered."""


class ProblemError(FundingError):
    """The API refused a request, or failed. `problem` is its RFC 9457 document."""

    def __init__(self, problem: Dict[str, Any], retry_after_seconds: Optional[int] = None) -> None:
        super().__init__(f"{problem.get('status')} {problem.get('title')}: {problem.get('detail')}")
        self.problem = problem
        #: Seconds to wait before a retry, if the API gave them.
        self.retry_after_seconds = retry_after_seconds

    def __reduce__(self) -> Any:
        return (ProblemError, (self.problem, self.retry_after_seconds))

    @property
    def kind(self) -> str:
        """Last part of the problem's type: `quota-exceeded`, `invalid-parameters`, ..."""
        return str(self.problem["type"]).rpartition(":")[2]

    @property
    def status(self) -> int:
        """Status of the answer."""
        return int(self.problem["status"])

    @property
    def request_id(self) -> str:
        """Identifies the request to the API's operator."""
        return str(self.problem["request_id"])

    @property
    def errors(self) -> List[Dict[str, str]]:
        """Wrong parameters or fields, each with `parameter` and `message`. May be empty."""
        return list(self.problem.get("errors") or [])


class UnexpectedResponseError(FundingError):
    """The answer is not from this API, but for example from a proxy."""

    def __init__(self, status: int, excerpt: str) -> None:
        super().__init__(f"unexpected response with status {status}: {excerpt}")
        self.status = status
        #: Beginning of the answer.
        self.excerpt = excerpt

    def __reduce__(self) -> Any:
        return (UnexpectedResponseError, (self.status, self.excerpt))


def error_of(response: httpx.Response) -> FundingError:
    """The error for an answer that is no success."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if isinstance(body, dict) and {"type", "status", "detail", "request_id"} <= body.keys():
        seconds = response.headers.get("retry-after", "")
        return ProblemError(body, int(seconds) if seconds.isascii() and seconds.isdigit() else None)
    return UnexpectedResponseError(response.status_code, response.text[:200])
