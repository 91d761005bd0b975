"""Verification of webhook deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Union, cast

if TYPE_CHECKING:
    from .schema import WebhookEvent


class WebhookVerificationError(Exception):
    """A delivery was not sent by the service, was changed, or is too old. Answer it with 400 or 401."""


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    Verifies a delivery by the headers of Standard Webhooks, and returns its event.

    The signature covers the event's id and the time of sending, so an old delivery cannot be replayed.

    Args:
        body: The raw body, before anything parses it: the signature covers these bytes.
        headers: The request's headers.
        secret: The webhook's secret, whsec_... During a rotation, all that may sign.
        tolerance_seconds: Longest difference between the delivery's time and now, in both directions.
        now: Seconds since 1970 to compare with. Default: the present.

    Raises:
        WebhookVerificationError: a header is missing, the time is too far from now, or no signature is right.
        ValueError: a secret is not one.
    """
    data = _bytes(body)
    event_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    given = _header(headers, "webhook-signature")
    if not (timestamp.isascii() and timestamp.isdigit()) or len(timestamp) > 15:
        raise WebhookVerificationError("the header webhook-timestamp is not a number of seconds")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("the delivery's time is too far from now")
    signed = f"{event_id}.{timestamp}.".encode() + data
    expected = [
        base64.b64encode(hmac.new(_key(text), signed, hashlib.sha256).digest()) for text in _secrets(secret)
    ]
    signatures = [text[3:].encode() for text in given.split(" ") if text.startswith("v1,")]
    # All are compared, so that the time does not tell which.
    if not any([hmac.compare_digest(one, other) for one in expected for other in signatures]):
        raise WebhookVerificationError("the signature is not of this delivery")
    return _event(data)


def verify_signature_header(
    body: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    *,
    header_name: str = "X-Service-Signature",
) -> WebhookEvent:
    """
    Verifies `X-Service-Signature`, and returns the delivery's event. Prefer `verify_webhook`: this signature does not
    cover the time of sending, so a recorded delivery can be replayed.

    Raises:
        WebhookVerificationError: the signature is missing or wrong.
        ValueError: a secret is not one.
    """
    data = _bytes(body)
    given = _header(headers, header_name)
    expected = [
        "sha256=" + hmac.new(text.encode(), data, hashlib.sha256).hexdigest() for text in _secrets(secret)
    ]
    if not any([hmac.compare_digest(text.encode(), given.encode()) for text in expected]):
        raise WebhookVerificationError("the signature is not of this body")
    return _event(data)


def _bytes(body: Union[bytes, str]) -> bytes:
    return body.encode() if isinstance(body, str) else bytes(body)


def _header(headers: Mapping[str, Any], name: str) -> str:
    for key, value in headers.items():
        if str(key).lower() == name.lower():
            return value.decode("latin-1") if isinstance(value, bytes) else str(value)
    raise WebhookVerificationError(f"the header {name} is missing")


def _secrets(secret: Union[str, Sequence[str]]) -> List[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or "" in secrets:
        raise ValueError("a webhook's secret must not be empty")
    return secrets


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("a webhook's secret must be whsec_ and base64") from None


def _event(data: bytes) -> WebhookEvent:
    try:
        return cast("WebhookEvent", json.loads(data))
    except ValueError:
        raise WebhookVerificationError("the body is not JSON") from None
