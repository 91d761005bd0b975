"""Lists of records: iterated, page by page, counted, as a data frame, and as a copy that is kept up to date."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Generic,
    Iterator,
    List,
    Mapping,
    NotRequired,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
    cast,
)
from urllib.parse import quote
from uuid import UUID

from .errors import FundingError
from .http import Requests

if TYPE_CHECKING:
    from .schema import GrantListFacet, ListMeta, Pagination, RecordChangesResult

Item = TypeVar("Item")

#: Record limit of a page, which the client asks for.
MAXIMUM_PAGE_SIZE = 100

#: Characters of a query beyond which it goes in a body.
LONGEST_IN_ADDRESS = 2_000

#: Lists of which no item has a comma, and which may be long.
JOINED = frozenset({"fields", "ids"})

#: A parameter as the query string has it.
Texts = Union[str, List[str]]

#: Parameters that a mirror sets itself, and those that rank a list: a ranked list is no feed.
NOT_MIRRORED = frozenset(
    {
        "sort_by",
        "order",
        "offset",
        "ids",
        "updated_after",
        "archived_as_ids",
        "include_archived",
        "include_versions",
        "facets",
        "facets_mode",
        "facets_sort_by",
        "search_mode",
        "similar_to",
        "explain",
        "highlight",
    }
)


class Archived(TypedDict):
    """A record that has left the current catalogue."""

    id: str
    archived_at: str


class Page(TypedDict, Generic[Item]):
    """A page of a list."""

    results: List[Item]
    #: Ids that no record has. Only if `ids` was requested.
    missing: NotRequired[List[str]]
    #: Records that have left the current catalogue. Only if `archived_as_ids` was requested.
    archived: NotRequired[List[Archived]]
    pagination: Pagination
    meta: ListMeta
    #: The most frequent values of each requested field, up to a hundred. Only if `facets` was requested.
    facets: NotRequired[Dict[str, List[GrantListFacet]]]


class MirrorBatch(Generic[Item]):
    """A part of what changed: records to add or replace, records to remove, and where to go on once that is done."""

    def __init__(self, records: List[Item], archived: List[Archived], position: Dict[str, str]) -> None:
        self.records = records
        self.archived = archived
        #: Can be stored as JSON.
        self.position = position


class Listing(Generic[Item]):
    """A list that is asked for when it is used. Iterating it goes to its end, page by page; no record comes twice."""

    def __init__(self, requests: Requests, path: str, columns: Sequence[str], query: Mapping[str, Any]) -> None:
        self._requests = requests
        self._path = path
        self._columns = columns
        self._query: Dict[str, Texts] = {name: _texts(name, value) for name, value in query.items() if value is not None}

    def page(self, cursor: Optional[str] = None) -> Page[Item]:
        """The first page, or that of a cursor: `pagination.next` of the page before."""
        query = dict(self._query)
        if cursor is not None:
            query.pop("offset", None)
            query["cursor"] = cursor
        return cast("Page[Item]", self._ask(query))

    def pages(self) -> Iterator[Page[Item]]:
        """Page after page, of 100 records where the list has no `limit`."""
        # Records by their ids are one page, which takes no limit.
        limit: Dict[str, Texts] = {} if "ids" in self._query else {"limit": self._query.get("limit", str(MAXIMUM_PAGE_SIZE))}
        whole = self._with(limit)
        cursor: Optional[str] = None
        while True:
            page = whole.page(cursor)
            yield page
            cursor = page["pagination"]["next"]
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Item]:
        seen = set()
        for page in self.pages():
            for record in page["results"]:
                record_id = cast(Dict[str, Any], record)["id"]
                if record_id not in seen:
                    seen.add(record_id)
                    yield record

    def count(self) -> int:
        """How many records match, counted exactly."""
        query = {name: value for name, value in self._query.items() if name not in ("limit", "offset", "facets", "expand", "fields")}
        body = self._ask({**query, "count_only": "true"})
        return int(cast(Dict[str, Any], body)["total"])

    def mirror(self, position: Optional[Mapping[str, str]] = None) -> Iterator[MirrorBatch[Item]]:
        """
        What changed since a position, batch after batch, oldest first, up to now; without a position, everything.

        Apply a batch and save its position together, and go on from there the next time: no change is passed over,
        though others write meanwhile. A record that changes again comes again. The list may have `source`, `expand`,
        `fields` and `limit`; a filter by what changes in a record would leave what no longer matches in the copy.

        Raises:
            ValueError: the list has a parameter that a mirror sets itself, or one that ranks.
            FundingError: the answer is no feed of changes.
        """
        refused = sorted(NOT_MIRRORED & self._query.keys())
        if refused:
            raise ValueError(f"a list that is mirrored cannot have {', '.join(refused)}")
        feed: Dict[str, Texts] = {"sort_by": "updated_at", "order": "asc", "limit": str(MAXIMUM_PAGE_SIZE)}
        if self._path != "funders-api":
            feed.update(opportunity_type="all", archived_as_ids="true")
        feed.update(self._query)
        current: Dict[str, str] = dict(position or {})
        while True:
            page = cast(Dict[str, Any], self._ask({**feed, **current}))
            following = page["pagination"]["next"]
            if "last_updated_at" not in page["meta"]:
                raise FundingError("the answer has no meta.last_updated_at: it is no feed of changes, which a mirror reads")
            last_updated_at = page["meta"]["last_updated_at"]
            # Nothing changed since.
            if last_updated_at is None:
                return
            current = {"updated_after": last_updated_at} if following is None else {"cursor": following}
            yield MirrorBatch(page["results"], page.get("archived") or [], dict(current))
            if following is None:
                return

    def dataframe(self) -> Any:
        """
        All records as a `pandas.DataFrame`, one a row, the field names as columns. Days and moments are datetimes,
        those of moments in UTC. Details are columns of their own: `details.source`. Needs pandas.

        A day or moment that pandas cannot hold is NaT: before pandas 3, all after 2262-04-11, such as 9999-12-31. The
        records themselves have it.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            import pandas  # type: ignore[import]
        except ImportError as error:
            raise ImportError("dataframe() needs pandas: pip install pandas, or apt-get install python3-pandas") from error
        records = [_flat(cast(Dict[str, Any], record)) for record in self]
        frame = pandas.DataFrame.from_records(records)
        if frame.empty:
            optional = ("relevance_score", "details", "project_end_date")
            frame = pandas.DataFrame(columns=self._chosen() or [name for name in self._columns if name not in optional])
        for name in frame.columns:
            if name.endswith("_date"):
                frame[name] = _datetimes(pandas, frame[name], format="%Y-%m-%d")
            elif name.endswith("_at"):
                frame[name] = _datetimes(pandas, frame[name], utc=True)
        return frame

    def _ask(self, query: Mapping[str, Texts]) -> Any:
        """The list's answer. A long query goes in a body: servers on the way take addresses of 8,000 characters."""
        texts = [(name, text) for name, value in query.items() for text in ([value] if isinstance(value, str) else value)]
        if sum(len(name) + len(text) for name, text in texts) > LONGEST_IN_ADDRESS:
            return self._requests.post(f"{self._path}/search", dict(query))
        return self._requests.get(self._path, query)

    def _chosen(self) -> List[str]:
        """Columns of the list's `fields`. Empty where it has none."""
        fields = self._query.get("fields")
        if not isinstance(fields, str):
            return []
        own = [name.strip() for name in fields.split(",")]
        return ["id", *(name if name in self._columns else f"details.{name}" for name in own if name != "id")]

    def _with(self, query: Mapping[str, Texts]) -> Listing[Item]:
        return Listing(self._requests, self._path, self._columns, {**self._query, **query})


class Collection(Generic[Item]):
    """One dataset of the API."""

    _path: str
    _columns: Tuple[str, ...]

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def get(self, id: str | UUID, *, details: bool = False, fields: Optional[Sequence[str]] = None) -> Optional[Item]:
        """
        The record with this id, with its details if they are asked for, or with `fields` alone. None when there is none.

        Raises:
            ValueError: the id is empty.
        """
        query = {"expand": "details"} if details else {}
        if fields is not None:
            query["fields"] = _joined("fields", fields)
        return cast(Optional[Item], self._requests.get(self._record_path(id), query))

    def changes(self, id: str | UUID) -> Iterator[RecordChangesResult]:
        """
        What imports changed in the record with this id, newest first.

        Raises:
            LookupError: there is no such record.
            ValueError: the id is empty.
        """
        cursor: Optional[str] = None
        while True:
            body = self._requests.get(f"{self._record_path(id)}/changes", {} if cursor is None else {"cursor": cursor})
            if body is None:
                raise LookupError(f"{self._path} has no record {id}")
            yield from body["results"]
            cursor = body["next"]
            if cursor is None:
                return

    def _record_path(self, id: str | UUID) -> str:
        return record_path(self._path, id)

    def _listing(self, query: Mapping[str, Any]) -> Listing[Item]:
        return Listing(self._requests, self._path, self._columns, query)


def _texts(name: str, value: Any) -> Texts:
    """A parameter as the query string has it. A list repeats it, as names may have commas; those that cannot are joined."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return _text(value)
    if name in JOINED:
        return _joined(name, value)
    return [_text(item) for item in _not_empty(name, value)]


def _joined(name: str, value: Sequence[Any]) -> str:
    return value if isinstance(value, str) else ",".join(_text(item) for item in _not_empty(name, value))


def _not_empty(name: str, value: Sequence[Any]) -> Sequence[Any]:
    """Refuses an empty list: it would leave out the parameter, and the answer would be the whole list."""
    if len(value) == 0:
        raise ValueError(f"{name} is an empty list; to filter by nothing, leave it out")
    return value


def record_path(path: str, id: str | UUID) -> str:
    """Path of a record."""
    text = str(id)
    # The path would be that of the list.
    if text in ("", ".", ".."):
        raise ValueError(f"the id is {text!r}")
    return f"{path}/{quote(text, safe='')}"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone: datetime(..., tzinfo=timezone.utc), for example")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def _flat(record: Dict[str, Any]) -> Dict[str, Any]:
    details = record.get("details")
    if details is None:
        return record
    own = {name: value for name, value in record.items() if name != "details"}
    return {**own, **{f"details.{name}": value for name, value in details.items()}}


def _datetimes(pandas: Any, texts: Any, **options: Any) -> Any:
    """A column of texts as datetimes. What is beyond pandas' range is NaT."""
    try:
        return pandas.to_datetime(texts, **options)
    except pandas.errors.OutOfBoundsDatetime:
        datetimes = pandas.to_datetime(texts, errors="coerce", **options)
        # Text that is no datetime is NaT now as well, and an error all the same.
        for text in texts[datetimes.isna() & texts.notna()]:
            try:
                pandas.to_datetime(text, **options)
            except pandas.errors.OutOfBoundsDatetime:
                pass
        return datetimes
