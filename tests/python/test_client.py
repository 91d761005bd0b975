"""The Python client against a real server, whose address and keys the environment has, and against one that fails."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import pickle
import socket
import threading
import time
import unittest
import urllib.parse
import urllib.request
from datetime import date, datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Tuple

import pandas

from funding_opportunities import (
    Client,
    FundingError,
    ProblemError,
    UnexpectedResponseError,
    WebhookVerificationError,
    verify_signature_header,
    verify_webhook,
)

BASE_URL = os.environ["FUNDING_BASE_URL"]
API_KEY = os.environ["FUNDING_API_KEY"]
FREE_API_KEY = os.environ["FREE_API_KEY"]


def raw(path: str) -> Any:
    """What the server answers, without the client."""
    request = urllib.request.Request(f"{BASE_URL}/{path}", headers={"Authorization": f"Bearer {API_KEY}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def raw_list(path: str) -> List[Any]:
    """All records of a list, by offset."""
    records: List[Any] = []
    while True:
        page = raw(f"{path}&limit=100&offset={len(records)}")
        records += page["results"]
        if not page["results"]:
            return records


class Lists(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client()
        self.addCleanup(self.client.close)

    def test_iterating_gives_every_record_of_every_dataset_in_its_order(self) -> None:
        self.assertEqual(list(self.client.grants.list(states=["OH", "PA"])), raw_list("grants-api?states=OH,PA"))
        self.assertEqual(
            list(self.client.contracts.list(sort_by="amount_max", status="open")),
            raw_list("contracts-api?sort_by=amount_max&status=open"),
        )
        self.assertEqual(list(self.client.funders.list(limit=30)), raw_list("funders-api?"))

    def test_a_count_is_that_of_the_list(self) -> None:
        listing = self.client.grants.list(search="water", opportunity_type="all", facets=["status"], limit=3)
        self.assertEqual(listing.count(), len(list(listing)))
        self.assertGreater(listing.count(), 3)

    def test_a_long_query_goes_in_a_body_and_records_come_by_their_ids(self) -> None:
        ids = [record["id"] for record in raw_list("grants-api?opportunity_type=all")][:100]
        listing = self.client.grants.list(ids=ids, fields=["title"])
        self.assertEqual([record["id"] for record in listing], ids)
        self.assertEqual(listing.page().get("missing"), [])
        self.assertEqual(self.client.grants.list(search="water " * 600).count(), self.client.grants.list(search="water").count())

    def test_parameters_of_every_type_are_sent(self) -> None:
        listing = self.client.grants.list(
            min_amount=50_000,
            include_national=True,
            states="OH,PA",
            deadline_after=date(2026, 12, 31),
            posted_after=datetime(2026, 1, 1, tzinfo=timezone.utc),
            applicant_type=["government_county", "individual"],
            expand=["details"],
            limit=100,
        )
        query = (
            "min_amount=50000&include_national=true&states=OH,PA&deadline_after=2026-12-31&posted_after=2026-01-01T00:00:00.000Z"
            "&applicant_type=government_county,individual&expand=details"
        )
        expected = raw_list(f"grants-api?{query}")
        self.assertEqual(list(listing), expected)
        self.assertNotEqual(expected, [])
        with self.assertRaisesRegex(ValueError, "time zone"):
            self.client.grants.list(posted_after=datetime(2026, 1, 1))

    def test_a_page_has_its_place_and_its_facets(self) -> None:
        listing = self.client.grants.list(limit=5, facets=["status"])
        first = listing.page()
        second = listing.page(first["pagination"]["next"])
        self.assertEqual(len(second["results"]), 5)
        self.assertNotIn(second["results"][0], first["results"])
        self.assertIn("facets", first)

    def test_single_records(self) -> None:
        [first] = self.client.grants.list(limit=1).page()["results"]
        self.assertEqual(self.client.grants.get(first["id"]), first)
        detailed = self.client.grants.get(first["id"], details=True)
        assert detailed is not None
        self.assertEqual(detailed["details"]["source"], "demo")
        chosen = self.client.grants.get(first["id"], fields=["title", "source"])
        self.assertEqual(chosen, {"id": first["id"], "title": first["title"], "details": {"source": "demo"}})
        self.assertIsNone(self.client.grants.get("00000000-0000-4000-8000-000000000000"))
        self.assertEqual(list(self.client.grants.changes(first["id"])), [])
        with self.assertRaises(LookupError):
            list(self.client.grants.changes("00000000-0000-4000-8000-000000000000"))
        with self.assertRaises(ProblemError) as refused:
            self.client.grants.get("../health")
        self.assertEqual(refused.exception.status, 400)

    def test_a_mirror_is_the_catalogue_and_goes_on_from_any_position(self) -> None:
        everything = {record["id"]: record for record in raw_list("grants-api?opportunity_type=all")}
        copy: Dict[str, Any] = {}
        archived = 0
        position = None
        # As a program that ends after every batch.
        while True:
            batch = next(self.client.grants.list(limit=60).mirror(position), None)
            if batch is None:
                break
            copy.update({record["id"]: record for record in batch.records})
            archived += len(batch.archived)
            position = json.loads(json.dumps(batch.position))
        self.assertEqual(copy, everything)
        total = raw("grants-api?opportunity_type=all&include_archived=true&count_only=true")["total"]
        self.assertEqual(archived, total - len(everything))
        self.assertEqual([*self.client.grants.list().mirror(position)], [])
        self.assertEqual(
            [record for batch in self.client.funders.list().mirror() for record in batch.records].__len__(),
            self.client.funders.list().count(),
        )
        with self.assertRaisesRegex(ValueError, "sort_by"):
            next(self.client.grants.list(sort_by="title").mirror())
        with self.assertRaisesRegex(ValueError, "search_mode"):
            next(self.client.grants.list(search="water", search_mode="hybrid").mirror())

    def test_multi_search(self) -> None:
        found = self.client.multi_search(
            [
                {"endpoint": "funders-api", "parameters": {"limit": 2}},
                {"endpoint": "grants-api", "parameters": {"limit": 0}},
            ]
        )
        self.assertEqual([result["status"] for result in found["results"]], [200, 400])
        self.assertEqual(len(found["results"][0]["body"]["results"]), 2)

    def test_semantic_search(self) -> None:
        found = self.client.semantic_search("children who go hungry in summer", type="grants", limit=3)
        self.assertEqual([result["type"] for result in found["results"]], ["grants"] * 3)

    def test_a_data_frame_has_the_records_with_days_and_moments_as_such(self) -> None:
        listing = self.client.grants.list(search="water", expand=["details"])
        frame = listing.dataframe()
        self.assertEqual(list(frame["id"]), [record["id"] for record in listing])
        self.assertEqual(str(frame["deadline_date"].dtype), "datetime64[ns]")
        self.assertEqual(str(frame["created_at"].dtype), "datetime64[ns, UTC]")
        self.assertEqual(str(frame["details.updated_at"].dtype), "datetime64[ns, UTC]")
        self.assertIn(str(frame["amount_max"].dtype), ("float64", "int64"))
        [first] = frame.head(1).to_dict("records")
        [record] = listing.page()["results"][:1]
        self.assertEqual(pandas.Timestamp(record["created_at"]), first["created_at"])
        empty = self.client.grants.list(search="zyzzyva xylophone").dataframe()
        self.assertEqual((len(empty), "title" in empty.columns), (0, True))


class Problems(unittest.TestCase):
    def test_a_refusal_names_what_is_wrong(self) -> None:
        with Client() as client, self.assertRaises(ProblemError) as refused:
            client.grants.list(states=["ZZ"]).page()
        problem = refused.exception
        self.assertEqual((problem.kind, problem.status), ("invalid-parameters", 400))
        self.assertEqual([error["parameter"] for error in problem.errors], ["states"])
        self.assertTrue(problem.request_id)
        self.assertEqual(str(pickle.loads(pickle.dumps(problem))), str(problem))

    def test_a_key_that_may_not(self) -> None:
        with Client(api_key=FREE_API_KEY) as client, self.assertRaises(ProblemError) as refused:
            client.grants.list().count()
        self.assertEqual(refused.exception.kind, "forbidden")

    def test_what_is_missing_or_malformed_is_said_at_once_without_the_key(self) -> None:
        for address in ("", "api.example.org", "ftp://api.example.org", "https://u:p@api.example.org", "https://a.org/?x"):
            with self.subTest(address), self.assertRaisesRegex(ValueError, "base_url"):
                Client(address, API_KEY)
        for key in ("", "  ", "fo_live_ä", "fo_live_secret\nX-Other: 1"):
            with self.subTest(key), self.assertRaises(ValueError) as refused:
                Client(BASE_URL, key)
            self.assertIn("api_key", str(refused.exception))
            self.assertNotIn("secret", str(refused.exception))
        with Client() as client:
            self.assertNotIn(API_KEY, repr(client) + repr(vars(client)))


Answer = Tuple[int, Dict[str, str], bytes]
problem = {
    "type": "urn:funding-opportunities:problem:unavailable",
    "title": "Unavailable",
    "status": 503,
    "detail": "Try again.",
    "request_id": "r",
}
page: Answer = (200, {}, json.dumps({"total": 7}).encode())


class Retries(unittest.TestCase):
    """Against a server that gives prepared answers; None cuts the connection."""

    def serve(self, *answers: Any, **options: Any) -> Tuple[Client, List[float], List[str]]:
        waits: List[float] = []
        paths: List[str] = []
        prepared = iter(answers)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path)
                answer = next(prepared)
                if answer is None:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        client = Client(f"http://127.0.0.1:{server.server_port}", "fo_live_x", sleep=waits.append, **options)
        self.addCleanup(client.close)
        return client, waits, paths

    def failure(self, status: int = 503, **headers: str) -> Answer:
        return (status, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps(problem).encode())

    def test_a_busy_service_is_asked_again_after_the_time_that_it_names(self) -> None:
        client, waits, paths = self.serve(self.failure(503, Retry_After="2"), self.failure(429, Retry_After="3"), page)
        self.assertEqual(client.grants.list().count(), 7)
        self.assertEqual(waits, [2.0, 3.0])
        self.assertEqual(len(set(paths)), 1)

    def test_or_a_date(self) -> None:
        client, waits, _ = self.serve(self.failure(503, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"), page)
        self.assertEqual((client.grants.list().count(), waits), (7, [0.0]))

    def test_and_after_a_growing_wait_where_it_names_none_or_nonsense(self) -> None:
        client, waits, _ = self.serve(self.failure(), self.failure(503, Retry_After="soon"), page)
        self.assertEqual(client.grants.list().count(), 7)
        self.assertTrue(0.37 <= waits[0] <= 0.63 and 0.74 <= waits[1] <= 1.26, waits)

    def test_a_cut_connection_is_tried_again(self) -> None:
        client, waits, _ = self.serve(None, page)
        self.assertEqual((client.grants.list().count(), len(waits)), (7, 1))

    def test_three_attempts_are_all_and_one_is_one(self) -> None:
        client, waits, _ = self.serve(*[self.failure()] * 3)
        with self.assertRaises(ProblemError):
            client.grants.list().count()
        self.assertEqual(len(waits), 2)
        client, waits, _ = self.serve(self.failure(), maximum_attempts=1)
        with self.assertRaises(ProblemError):
            client.grants.list().count()
        self.assertEqual(waits, [])

    def test_a_wait_that_is_too_long_is_raised_with_its_seconds(self) -> None:
        client, waits, _ = self.serve(self.failure(429, Retry_After="3600"))
        with self.assertRaises(ProblemError) as refused:
            client.grants.list().count()
        self.assertEqual((waits, refused.exception.retry_after_seconds), ([], 3600))

    def test_other_failures_are_not_repeated(self) -> None:
        client, waits, _ = self.serve((500, {}, b"<html>proxy</html>"), (302, {"Location": "http://evil.example/"}, b""))
        for status in (500, 302):
            with self.assertRaises(UnexpectedResponseError) as unexpected:
                client.grants.list().count()
            self.assertEqual(unexpected.exception.status, status)
        self.assertEqual(waits, [])

    def test_an_answer_that_is_not_json_is_unexpected(self) -> None:
        client, _, _ = self.serve((200, {}, b"hello"), (404, {}, b"no such page"))
        with self.assertRaisesRegex(UnexpectedResponseError, "hello"):
            client.grants.list().count()
        with self.assertRaisesRegex(UnexpectedResponseError, "no such page"):
            client.grants.get("a")

    def test_a_data_frame_has_no_datetime_where_pandas_cannot_hold_it(self) -> None:
        def served(*deadlines: Any) -> Any:
            records = [
                {"id": str(number), "deadline_date": day, "details": {"deadline_at": moment}}
                for number, (day, moment) in enumerate(deadlines)
            ]
            body = {"results": records, "pagination": {"next": None}, "meta": {}}
            return self.serve((200, {}, json.dumps(body).encode()))[0].grants.list().dataframe()

        frame = served(
            ("9999-12-31", "2926-09-30T21:00:00.000Z"),
            ("2026-12-31", "2026-12-31T22:00:00.000Z"),
            (None, None),
        )
        for column, held in (("deadline_date", "2026-12-31"), ("details.deadline_at", "2026-12-31T22:00:00Z")):
            [far, near, none] = frame[column]
            self.assertEqual((near, none is pandas.NaT), (pandas.Timestamp(held), True))
            # From version 3 on, pandas holds it.
            self.assertTrue(far is pandas.NaT or far.year in (2926, 9999))
            self.assertTrue(str(frame[column].dtype).startswith("datetime64["))
        for unreadable in (("soon", None), (None, "soon")):
            with self.assertRaises(ValueError):
                served(("9999-12-31", "9999-12-31T00:00:00.000Z"), unreadable)

    def test_names_are_repeated_and_ids_and_fields_joined(self) -> None:
        client, _, paths = self.serve(page, page)
        client.grants.list(category=["Health, Safety", "Education"], states=["OH", "PA"], fields=["title", "source"]).page()
        client.grants.list(ids=["a-1", "b-2"], category="Education").page()
        self.assertEqual(
            [urllib.parse.parse_qs(urllib.parse.urlsplit(path).query) for path in paths],
            [
                {"category": ["Health, Safety", "Education"], "states": ["OH", "PA"], "fields": ["title,source"]},
                {"ids": ["a-1,b-2"], "category": ["Education"]},
            ],
        )

    def test_an_empty_list_is_refused_before_anything_is_sent(self) -> None:
        client, _, paths = self.serve()
        for query in ({"category": []}, {"ids": []}, {"fields": ()}):
            with self.assertRaisesRegex(ValueError, "is an empty list"):
                client.grants.list(**query)  # type: ignore[arg-type]
        self.assertEqual(paths, [])

    def test_a_mirror_of_a_ranked_list_is_refused_before_anything_is_sent(self) -> None:
        client, _, paths = self.serve()
        ranked: List[Dict[str, Any]] = [{"search_mode": "hybrid"}, {"similar_to": "1"}, {"explain": True}]
        for query in ranked:
            with self.subTest(query), self.assertRaisesRegex(ValueError, f"cannot have {[*query][0]}"):
                next(client.grants.list(search="water", **query).mirror())
        self.assertEqual(paths, [])

    def test_a_mirror_fails_where_the_answer_is_no_feed_and_does_not_end_as_if_nothing_had_changed(self) -> None:
        def answer(meta: Dict[str, Any]) -> Answer:
            return (200, {}, json.dumps({"results": [], "pagination": {"next": None}, "meta": meta}).encode())

        client, _, _ = self.serve(answer({"last_updated_at": None}), answer({}))
        self.assertEqual(list(client.grants.list().mirror()), [])
        with self.assertRaisesRegex(FundingError, "last_updated_at"):
            next(client.grants.list().mirror())

    def test_an_empty_id_is_refused_as_its_path_would_be_the_list(self) -> None:
        client, _, paths = self.serve()
        for empty in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "id"):
                client.grants.get(empty)
            with self.assertRaisesRegex(ValueError, "id"):
                list(client.funders.changes(empty))
            with self.assertRaisesRegex(ValueError, "id"):
                list(client.awards(empty))
            with self.assertRaisesRegex(ValueError, "id"):
                client.document(empty)
        self.assertEqual(paths, [])

    def test_a_document_is_read_by_page_and_one_that_is_not_there_is_no_record(self) -> None:
        missing = {"type": "urn:funding-opportunities:problem:not-found", "title": "", "status": 404, "detail": ""}
        client, _, paths = self.serve(
            (200, {}, json.dumps({"passages": [{"number": 7}]}).encode()), (404, {}, json.dumps(missing).encode())
        )
        self.assertEqual([passage["number"] for passage in client.document("1", page=12)["passages"]], [7])
        with self.assertRaises(LookupError):
            client.document("2", limit=5, offset=0)
        self.assertEqual([path.partition("documents/")[2] for path in paths], ["1?page=12", "2?limit=5&offset=0"])

    def test_fields_that_are_new_do_not_matter(self) -> None:
        body = {"results": [{"id": "1", "invented": True}], "pagination": {"next": None}, "meta": {}, "more": 1}
        client, _, _ = self.serve((200, {}, json.dumps(body).encode()))
        self.assertEqual(list(client.grants.list()), [{"id": "1", "invented": True}])


class Webhooks(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes !!!").decode()
    body = json.dumps({"id": "e-1", "event": "grant.updated", "created_at": "", "data": {"title": "Größe"}, "changes": []}).encode()

    def headers(self, secret: str, sent_at: float, body: bytes) -> Dict[str, str]:
        key = base64.b64decode(secret[6:])
        signed = f"e-1.{int(sent_at)}.".encode() + body
        signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return {
            "Webhook-Id": "e-1",
            "Webhook-Timestamp": str(int(sent_at)),
            "Webhook-Signature": f"v1,AAAA v1,{signature}",
            "X-Service-Signature": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        }

    def refuse(self, verify: Callable[[], Any], message: str) -> None:
        with self.assertRaisesRegex(WebhookVerificationError, message):
            verify()

    def test_a_delivery_is_verified_by_any_of_the_secrets(self) -> None:
        headers = self.headers(self.secret, time.time(), self.body)
        other = "whsec_" + base64.b64encode(b"another secret").decode()
        for verify in (verify_webhook, verify_signature_header):
            self.assertEqual(verify(self.body, headers, [other, self.secret])["data"]["title"], "Größe")
            self.assertEqual(verify(self.body.decode(), headers, self.secret)["event"], "grant.updated")
            self.refuse(lambda: verify(self.body + b" ", headers, self.secret), "the signature is not")
            self.refuse(lambda: verify(self.body, headers, other), "the signature is not")
            self.refuse(lambda: verify(self.body, {}, self.secret), "is missing")
            for secret in ("", [], [self.secret, ""]):
                with self.assertRaises(ValueError):
                    verify(self.body, headers, secret)

    def test_an_old_delivery_or_one_of_another_id_is_refused(self) -> None:
        headers = self.headers(self.secret, 1_000_000, self.body)
        verify_webhook(self.body, headers, self.secret, now=1_000_299)
        self.refuse(lambda: verify_webhook(self.body, headers, self.secret, now=1_000_301), "too far")
        self.refuse(lambda: verify_webhook(self.body, headers, self.secret, now=999_699), "too far")
        self.refuse(lambda: verify_webhook(self.body, {**headers, "Webhook-Id": "e-2"}, self.secret, now=1_000_000), "not of")
        self.refuse(lambda: verify_webhook(self.body, {**headers, "Webhook-Timestamp": "soon"}, self.secret), "number")


if __name__ == "__main__":
    unittest.main()
