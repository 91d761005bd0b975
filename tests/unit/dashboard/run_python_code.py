"""Runs code that uses the Python client, given as a JSON list, and prints the request of each. The network is a stand-in for httpx."""

import contextlib
import io
import json
import pathlib
import sys
import types

sent = []


class Answer:
    is_success = True
    status_code = 200

    def json(self):
        return {"results": [], "total": 0, "facets": {}, "pagination": {"total": 0, "next": None}}


class HttpClient:
    def __init__(self, base_url, headers, **_options):
        assert headers["Authorization"] == "Bearer fo_live_key" and base_url == "https://api.example/functions/v1/"

    def request(self, method, path, params=None, json=None):
        sent.append({"method": method, "path": path, "params": params or {}, "json": json})
        return Answer()

    def close(self):
        pass


httpx = types.ModuleType("httpx")
httpx.Client = HttpClient
httpx.Response = Answer
httpx.BaseTransport = object
httpx.TransportError = type("TransportError", (Exception,), {})
sys.modules["httpx"] = httpx
sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "packages/python/src"))

for code in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "code", "exec"), {})
print(json.dumps(sent))
