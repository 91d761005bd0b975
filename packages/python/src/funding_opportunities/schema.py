# Written by scripts/python-types.ts from the OpenAPI document: do not edit.
"""Types of the API's answers and parameters, and its lists."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Dict, List, Literal, NotRequired, Optional, Sequence, TypedDict, Union

from .lists import Collection, Listing

class ExplanationKeyword(TypedDict):
    """"""
    # Position in this ranking, from 1.
    rank: int
    # BM25 score.
    score: float


class ExplanationSemantic(TypedDict):
    """"""
    # Position in this ranking, from 1.
    rank: int
    # Cosine similarity, times `known_share`.
    similarity: float


class ExplanationSum(TypedDict):
    """"""
    # Position in this ranking, from 1.
    rank: int
    # Share of the best keyword score, plus the weighted similarity.
    score: float


class ExplanationPassage(TypedDict):
    """"""
    # BM25 score of the passage.
    score: float
    document_id: str
    page: Union[int, None]
    url: Union[str, None]


class Explanation(TypedDict):
    """Parts of the result's score. Only with `explain=true`."""
    # Whether the search is a number of this record, which puts it first.
    identifier: bool
    # Ranking by keywords; null where it has not found the record.
    keyword: Union[ExplanationKeyword, None]
    # Ranking by meaning; null where it has not found the record.
    semantic: Union[ExplanationSemantic, None]
    # Third ranking of a hybrid search, by the sum of both scores; null in other modes.
    sum: Union[ExplanationSum, None]
    # Always 0: places and agencies are words as others.
    mentions: int
    # The best passage of the record's documents, which counts in `keyword`; null where they have none. Only with
    # `search_in=documents` or `all`.
    passage: NotRequired[Union[ExplanationPassage, None]]


class HighlightRange(TypedDict):
    """"""
    start: int
    end: int


class Highlight(TypedDict):
    """The best passage of a field."""
    # The passage, of at most 240 UTF-16 code units.
    text: str
    # Where the passage begins in the field, in UTF-16 code units.
    offset: int
    # What to mark in `text`, in its order: from `start` to before `end`, in UTF-16 code units, as JavaScript, Java and
    # C# count.
    ranges: List[HighlightRange]


class Highlights(TypedDict):
    """
    Where the result has what was searched for, by field. `description` and `summary` are there with nothing to
    mark, too; `identifier` is a number of the record that was searched for. Only with `highlight=true`.
    """
    title: NotRequired[Highlight]
    name: NotRequired[Highlight]
    description: NotRequired[Highlight]
    summary: NotRequired[Highlight]
    identifier: NotRequired[Highlight]


class GrantPassageRange(TypedDict):
    """"""
    start: int
    end: int


class GrantPassage(TypedDict):
    """A passage of a document that has what was searched for."""
    # Id of the document: `GET /documents/{id}` gives all of its text.
    document_id: str
    # Name of the document in an archive, or of a file without an address; null of others.
    name: Union[str, None]
    # Address of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of this API added.
    url: Union[str, None]
    # Page on which the passage begins; null where the format has no pages.
    page: Union[int, None]
    # Page on which it ends.
    last_page: Union[int, None]
    # Headings above it, the outermost first.
    heading: Union[str, None]
    # The passage: paragraphs, items and rows, each on a line.
    text: str
    # What to mark in `text`, in its order: from `start` to before `end`, in UTF-16 code units, as JavaScript, Java and
    # C# count.
    ranges: List[GrantPassageRange]


class OpportunityDetailsAssistanceListing(TypedDict):
    """"""
    number: str
    # Null where the source gives the number alone.
    title: Union[str, None]


class OpportunityDetailsPlaceOfPerformance(TypedDict):
    """Where the work is done, in the publisher's words."""
    city: Union[str, None]
    # As the publisher writes it: a USPS code or a name.
    state: Union[str, None]
    zip: Union[str, None]
    country: Union[str, None]


class OpportunityDetailsRecipient(TypedDict):
    """Who received the award. Null of opportunities."""
    name: Union[str, None]
    # Unique Entity Identifier of SAM.gov: twelve letters and digits.
    uei: Union[str, None]
    # Employer Identification Number: nine digits.
    ein: Union[str, None]
    city: Union[str, None]
    # As the publisher writes it: a USPS code or a name.
    state: Union[str, None]
    country: Union[str, None]


class OpportunityDetailsContact(TypedDict):
    """"""
    name: Union[str, None]
    email: Union[str, None]
    # As the publisher writes it.
    phone: Union[str, None]


class OpportunityDetailsDocument(TypedDict):
    """"""
    # Name of the file, or what the publisher says of it.
    name: Union[str, None]
    url: str
    # Media type.
    type: Union[str, None]
    # Bytes.
    size: Union[int, None]
    updated_at: Union[str, None]


class OpportunityDetailsSameA(TypedDict):
    """"""
    id: str
    by: Literal["notice", "source"]
    is_listed: bool


class OpportunityDetailsDocumentsRead(TypedDict):
    """"""
    # Id of the document: `GET /documents/{id}` gives its text.
    id: str
    # Name in an archive, or of a file without an address; null of others.
    name: Union[str, None]
    # Address of the document, of a PDF with the page. Null of a file that the operator of this API added.
    url: Union[str, None]
    media_type: Union[str, None]
    # Null where the format has no pages.
    pages: Union[int, None]
    fetched_at: Union[str, None]
    # When it was looked for last.
    checked_at: str
    # Why it could not be had or read at the last look; null where it was.
    problem: Union[str, None]


class OpportunityDetailsDocumentFact(TypedDict):
    """"""
    name: Literal["letter_of_intent_due", "questions_due", "narrative_page_limit", "expected_awards", "cost_share_required", "cost_share_percent"]
    value: Union[str, float, bool]
    # The sentence that states it.
    sentence: str
    # Page that states it; null where the format has no pages.
    page: Union[int, None]
    # Address of the document, of a PDF with the page. Null of a file that the operator of this API added.
    url: Union[str, None]
    # Id of the document: `GET /documents/{id}` gives its text.
    document_id: str


class OpportunityDetails(TypedDict):
    """Details of a grant or contract. Only if `expand=details` was asked for."""
    # Number of the opportunity or solicitation; of an award, the one that it was given under.
    opportunity_number: Union[str, None]
    # Type of the notice, as its publisher writes it.
    notice_type: Union[str, None]
    # Organizations that publish the record, each within the one before: department, agency, office.
    agency: List[str]
    # Who may apply, in the values of CommonGrants. `unrestricted`: anyone. `custom`: others, whom `eligibility_text`
    # names. Empty where the source does not say.
    applicant_types: List[Literal["individual", "organization", "government_state", "government_county", "government_municipal", "government_special_district", "government_tribal", "organization_tribal_other", "school_district_independent", "higher_education_public", "higher_education_private", "non_profit_with_501c3", "nonprofit_without_501c3", "for_profit_small_business", "for_profit_not_small_business", "unrestricted", "custom"]]
    # Who may apply, in the publisher's words.
    eligibility_text: Union[str, None]
    # Assistance listings (CFDA numbers) that the money is from.
    assistance_listings: List[OpportunityDetailsAssistanceListing]
    # Forms in which the money may be given.
    funding_instrument: List[Literal["grant", "cooperative_agreement", "procurement_contract", "other"]]
    # Whether the applicant has to bring a part of the money.
    cost_sharing: Union[bool, None]
    # Number of awards that the publisher expects.
    expected_awards: Union[int, None]
    # US dollars that are expected to be given in all.
    total_funding: Union[float, None]
    # Product or service code of a contract.
    psc: Union[str, None]
    place_of_performance: Union[OpportunityDetailsPlaceOfPerformance, None]
    recipient: Union[OpportunityDetailsRecipient, None]
    # Number of the award: of a contract (PIID), of assistance (FAIN), or the publisher's own.
    award_number: Union[str, None]
    # Type of the award, as its publisher writes it.
    award_type: Union[str, None]
    # US dollars that the government has bound itself to pay so far. Below 0 where it took back more than it gave.
    obligated_amount: Union[float, None]
    # US dollars that were paid so far.
    outlayed_amount: Union[float, None]
    # First day of an awarded project. `project_end_date` is its last.
    project_start_date: Union[str, None]
    # Whom to ask about the opportunity, as its publisher says.
    contact: Union[OpportunityDetailsContact, None]
    # Documents of the notice, as far as the source lists them.
    documents: List[OpportunityDetailsDocument]
    # Moment of the deadline with its offset from UTC, on the day `deadline_date`. Null where the source gives the day
    # alone.
    deadline_at: Union[str, None]
    # Whether the hour of `deadline_at` is assumed: Grants.gov gives a day, which ends for it at 23:59 Eastern time.
    deadline_assumed: bool
    # What the publisher says of the deadline besides its day: an hour without a zone, a condition, or words in the
    # place of a day.
    deadline_note: Union[str, None]
    # Other records of the same opportunity, by its number, agency and title: `notice`: another notice of the same
    # source, `source`: from another source. Lists show the one that `is_listed`; if there is none, this record.
    same_as: List[OpportunityDetailsSameA]
    # Publisher of the file that the record is from.
    source: str
    # When the record last changed in this catalogue.
    updated_at: str
    first_seen_at: NotRequired[Union[str, None]]
    last_seen_at: NotRequired[Union[str, None]]
    # What is at the address of the record (`listing_url`, of a funder `website`). `ok`: it answered. `failing`: at the
    # last check it did not. `broken`: it did not three times in three weeks. `unknown`: its host lets no program look.
    # Null where it was not checked.
    link_status: NotRequired[Union[Literal["ok", "failing", "broken", "unknown"], None]]
    link_checked_at: NotRequired[Union[str, None]]
    # Documents of the record that were read, or why one could not be.
    documents_read: NotRequired[List[OpportunityDetailsDocumentsRead]]
    # Facts that a program read in the record's documents, each with the sentence that states it. They change nothing of
    # what the publisher says of the record.
    document_facts: NotRequired[List[OpportunityDetailsDocumentFact]]


class Grant(TypedDict):
    """A grant opportunity, or a project that was granted money."""
    # Id of the record. It is the same in every copy of the catalogue.
    id: str
    title: str
    description: str
    # US dollars.
    amount_min: Union[float, None]
    # US dollars.
    amount_max: Union[float, None]
    # Always null on awarded projects.
    deadline_date: Union[str, None]
    # Only on awarded projects, in place of a deadline.
    project_end_date: NotRequired[Union[str, None]]
    # Status as published.
    status: Literal["open", "posted", "closed", "forecasted", "upcoming"]
    # Place, as free text.
    geography: Union[str, None]
    # The funder's id.
    funder_id: str
    funder_name: str
    # Address of the published notice.
    listing_url: Union[str, None]
    # When the opportunity was posted.
    created_at: str
    categories: List[str]
    # How well the record matches the search. Only ranked results have it.
    relevance_score: NotRequired[float]
    explanation: NotRequired[Explanation]
    highlights: NotRequired[Highlights]
    # Up to three passages of the record's documents, the best first. Only with `passages=true`.
    passages: NotRequired[List[GrantPassage]]
    details: NotRequired[OpportunityDetails]


class ContractPassageRange(TypedDict):
    """"""
    start: int
    end: int


class ContractPassage(TypedDict):
    """A passage of a document that has what was searched for."""
    # Id of the document: `GET /documents/{id}` gives all of its text.
    document_id: str
    # Name of the document in an archive, or of a file without an address; null of others.
    name: Union[str, None]
    # Address of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of this API added.
    url: Union[str, None]
    # Page on which the passage begins; null where the format has no pages.
    page: Union[int, None]
    # Page on which it ends.
    last_page: Union[int, None]
    # Headings above it, the outermost first.
    heading: Union[str, None]
    # The passage: paragraphs, items and rows, each on a line.
    text: str
    # What to mark in `text`, in its order: from `start` to before `end`, in UTF-16 code units, as JavaScript, Java and
    # C# count.
    ranges: List[ContractPassageRange]


class Contract(TypedDict):
    """A government contract opportunity, or a contract that was awarded."""
    # Id of the record. It is the same in every copy of the catalogue.
    id: str
    title: str
    description: str
    # US dollars.
    amount_min: Union[float, None]
    # US dollars.
    amount_max: Union[float, None]
    # Always null on awarded projects.
    deadline_date: Union[str, None]
    # Only on awarded projects, in place of a deadline.
    project_end_date: NotRequired[Union[str, None]]
    # `open`, `closed`, `upcoming`, `forecasted`, `cancelled` or `awarded`, into which publishers' words are translated;
    # any other status is its publisher's own, in lower case.
    status: str
    # Place, as free text.
    geography: Union[str, None]
    document_url: Union[str, None]
    # Address of the published notice.
    listing_url: Union[str, None]
    # NAICS code of the industry.
    naics: Union[str, None]
    primary_contact_email: Union[str, None]
    # A GSA set-aside code, or the publisher's own.
    set_aside_code: Union[str, None]
    # The funder's id.
    funder_id: str
    funder_name: str
    # When the opportunity was posted.
    created_at: str
    categories: List[str]
    # How well the record matches the search. Only ranked results have it.
    relevance_score: NotRequired[float]
    explanation: NotRequired[Explanation]
    highlights: NotRequired[Highlights]
    # Up to three passages of the record's documents, the best first. Only with `passages=true`.
    passages: NotRequired[List[ContractPassage]]
    details: NotRequired[OpportunityDetails]


class FunderDetails(TypedDict):
    """Details of a funder. Only if `expand=details` was asked for."""
    # Employer Identification Number of a private foundation: nine digits. Null of others.
    ein: Union[str, None]
    # Publisher of the file that the record is from.
    source: str
    # When the record last changed in this catalogue.
    updated_at: str
    first_seen_at: NotRequired[Union[str, None]]
    last_seen_at: NotRequired[Union[str, None]]
    # What is at the address of the record (`listing_url`, of a funder `website`). `ok`: it answered. `failing`: at the
    # last check it did not. `broken`: it did not three times in three weeks. `unknown`: its host lets no program look.
    # Null where it was not checked.
    link_status: NotRequired[Union[Literal["ok", "failing", "broken", "unknown"], None]]
    link_checked_at: NotRequired[Union[str, None]]


class Funder(TypedDict):
    """An organization that funds grants or contracts."""
    # Id of the funder. It is the same in every copy of the catalogue.
    id: str
    name: str
    summary: Union[str, None]
    website: Union[str, None]
    # When the funder was added to the catalogue.
    created_at: str
    # How well the record matches the search. Only ranked results have it.
    relevance_score: NotRequired[float]
    explanation: NotRequired[Explanation]
    highlights: NotRequired[Highlights]
    details: NotRequired[FunderDetails]


class Pagination(TypedDict):
    """Position of this page in the list."""
    # All records that match, exactly. In a ranked search, all records that it ranks.
    total: int
    # Limit that was applied.
    limit: int
    # Offset that was applied.
    offset: int
    # Records in this answer.
    returned: int
    # `cursor` of the next page; null on the last page.
    next: Union[str, None]


class UnderstoodWord(TypedDict):
    """"""
    # A word of the search; of `similar_to`, a stem of the record's.
    word: str
    # Stems of the words that count as this one: its own, those of synonyms, and that of a corrected spelling.
    matches: List[str]
    # Inverse document frequency: the rarer the word, the higher.
    weight: float
    # Whether any record had one of these words when the lexicon was last fitted. Words that came since are found, too.
    is_known: bool


class Understood(TypedDict):
    """What was understood of the search. Only with `explain=true`."""
    # Words that the search is ranked by. The most frequent of more than 200 are left out.
    words: List[UnderstoodWord]
    # How much of the search has a meaning in this catalogue; null where none of it has.
    known_share: Union[float, None]
    # Words and phrases that no result may have.
    excluded: List[str]
    # Phrases that each result has. Only in a keyword search that is sorted by `relevance`.
    phrases: List[str]
    # Always empty: places are words as others.
    places: List[str]
    # Always empty: agencies are words as others.
    agencies: List[str]


class ListMeta(TypedDict):
    """How the list was searched and sorted."""
    # Milliseconds from the request's arrival to its answer.
    response_time_ms: float
    # Sort field that was applied; `ids` for the order of the ids.
    sort_by: str
    # Sort direction that was applied.
    order: Literal["asc", "desc"]
    # Mode that was used. It is `keyword` for a hybrid search whose query could not be embedded, because the embedding
    # model was not reached.
    search_mode: Literal["keyword", "semantic", "hybrid"]
    # How fresh the dataset is: the time of its newest imported file, or of its last change where none was imported.
    # Records may change without it. Whether any changed since a moment, the feed says: `sort_by=updated_at&order=asc`
    # of a list, with `updated_after`.
    data_as_of: str
    last_updated_at: NotRequired[Union[str, None]]
    understood: NotRequired[Understood]


class GrantListArchived(TypedDict):
    """"""
    # The record's id.
    id: str
    # When it left the current catalogue.
    archived_at: str


class GrantListFacet(TypedDict):
    """"""
    value: str
    # Records of the list that have this value.
    count: int
    # US dollars of the awards among these records. Null where none of them is an award with an amount. Only with
    # `facets_sort_by=amount`.
    amount: NotRequired[Union[float, None]]


class GrantList(TypedDict):
    """A page of grants."""
    results: List[Grant]
    # Ids of the request that no record has. Only if `ids` was requested.
    missing: NotRequired[List[str]]
    # Records that have left the current catalogue. Only if `archived_as_ids` was requested.
    archived: NotRequired[List[GrantListArchived]]
    pagination: Pagination
    meta: ListMeta
    # The most frequent values of each requested field, or those of the most dollars, up to a hundred. Only if `facets`
    # was requested.
    facets: NotRequired[Dict[str, List[GrantListFacet]]]


RecordChangesResultChange = TypedDict("RecordChangesResultChange", {"field": str, "from": Any, "to": Any})


class RecordChangesResult(TypedDict):
    """"""
    # When the change was imported.
    changed_at: str
    changes: List[RecordChangesResultChange]


class RecordChanges(TypedDict):
    """What changed in a record, newest first."""
    results: List[RecordChangesResult]
    # `cursor` of the next page; null on the last page.
    next: Union[str, None]


class AwardPassageRange(TypedDict):
    """"""
    start: int
    end: int


class AwardPassage(TypedDict):
    """A passage of a document that has what was searched for."""
    # Id of the document: `GET /documents/{id}` gives all of its text.
    document_id: str
    # Name of the document in an archive, or of a file without an address; null of others.
    name: Union[str, None]
    # Address of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of this API added.
    url: Union[str, None]
    # Page on which the passage begins; null where the format has no pages.
    page: Union[int, None]
    # Page on which it ends.
    last_page: Union[int, None]
    # Headings above it, the outermost first.
    heading: Union[str, None]
    # The passage: paragraphs, items and rows, each on a line.
    text: str
    # What to mark in `text`, in its order: from `start` to before `end`, in UTF-16 code units, as JavaScript, Java and
    # C# count.
    ranges: List[AwardPassageRange]


class Award(TypedDict):
    """An award, and how it belongs to the opportunity."""
    # Id of the record. It is the same in every copy of the catalogue.
    id: str
    title: str
    description: str
    # US dollars.
    amount_min: Union[float, None]
    # US dollars.
    amount_max: Union[float, None]
    # Always null on awarded projects.
    deadline_date: Union[str, None]
    # Only on awarded projects, in place of a deadline.
    project_end_date: NotRequired[Union[str, None]]
    # Status as published.
    status: Literal["open", "posted", "closed", "forecasted", "upcoming"]
    # Place, as free text.
    geography: Union[str, None]
    # The funder's id.
    funder_id: str
    funder_name: str
    # Address of the published notice.
    listing_url: Union[str, None]
    # When the opportunity was posted.
    created_at: str
    categories: List[str]
    # How well the record matches the search. Only ranked results have it.
    relevance_score: NotRequired[float]
    explanation: NotRequired[Explanation]
    highlights: NotRequired[Highlights]
    # Up to three passages of the record's documents, the best first. Only with `passages=true`.
    passages: NotRequired[List[AwardPassage]]
    details: NotRequired[OpportunityDetails]
    # How it was found: `number`, it names the opportunity's number; `programme`, an earlier award of the same
    # assistance listing and agency.
    link: Literal["number", "programme"]
    # How sure it is that it was given under the opportunity. `certain`: it has the number of this opportunity alone.
    # `likely`: it has the number in another spelling or version, which can mean no other opportunity here, or others
    # have the same number. `possible`: of the programme.
    certainty: Literal["certain", "likely", "possible"]


class AwardsAnswerPagination(TypedDict):
    """"""
    # All records that match, exactly. In a ranked search, all records that it ranks.
    total: int
    # Limit that was applied.
    limit: int
    # Records in this answer.
    returned: int
    # `cursor` of the next page; null on the last page.
    next: Union[str, None]


class AwardsAnswerMeta(TypedDict):
    """"""
    # Milliseconds from the request's arrival to its answer.
    response_time_ms: float
    # How fresh the dataset is: the time of its newest imported file, or of its last change where none was imported.
    # Records may change without it. Whether any changed since a moment, the feed says: `sort_by=updated_at&order=asc`
    # of a list, with `updated_after`.
    data_as_of: str


class AwardsAnswer(TypedDict):
    """Awards of an opportunity, newest first. All have the same `link`."""
    results: List[Award]
    pagination: AwardsAnswerPagination
    meta: AwardsAnswerMeta


class DocumentAnswerDocumentRecord(TypedDict):
    """"""
    type: Literal["grants", "contracts"]
    # The record's id.
    id: str
    title: str


class DocumentAnswerDocumentFact(TypedDict):
    """"""
    name: Literal["letter_of_intent_due", "questions_due", "narrative_page_limit", "expected_awards", "cost_share_required", "cost_share_percent"]
    value: Union[str, float, bool]
    # The sentence that states it.
    sentence: str
    # Page that states it; null where the format has no pages.
    page: Union[int, None]
    # Address of the document, of a PDF with the page. Null of a file that the operator of this API added.
    url: Union[str, None]
    # Id of the document: `GET /documents/{id}` gives its text.
    document_id: str


class DocumentAnswerDocument(TypedDict):
    """A document, without its text."""
    # Id of the document: `GET /documents/{id}` gives its text.
    id: str
    # Name in an archive, or of a file without an address; null of others.
    name: Union[str, None]
    # Address of the file. Null of one that the operator of this API added.
    url: Union[str, None]
    media_type: Union[str, None]
    # Null where the format has no pages.
    pages: Union[int, None]
    fetched_at: Union[str, None]
    # When it was looked for last.
    checked_at: str
    # Why it could not be had or read at the last look; null where it was.
    problem: Union[str, None]
    # Whether its text was too long, and the end of it is missing.
    is_cut: bool
    # Grants and contracts that have the document, by title: the first hundred of those that the key reads.
    records: List[DocumentAnswerDocumentRecord]
    # Facts that a program read in it, each with the sentence that states it.
    facts: List[DocumentAnswerDocumentFact]


class DocumentPassage(TypedDict):
    """A part of a document, of some 200 words, which ends where a sentence does."""
    # Its place in the document, from 1.
    number: int
    # Page on which it begins; null where the format has no pages.
    page: Union[int, None]
    # Page on which it ends.
    last_page: Union[int, None]
    # Headings above it, the outermost first.
    heading: Union[str, None]
    # The passage: paragraphs, items and rows, each on a line.
    text: str
    # Address to cite: that of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of
    # this API added.
    url: Union[str, None]


class DocumentAnswerPagination(TypedDict):
    """"""
    # All passages of the document; with `page`, those on that page.
    total: int
    # Limit that was applied.
    limit: int
    # Offset that was applied.
    offset: int
    # Passages in this answer.
    returned: int


class DocumentAnswerMeta(TypedDict):
    """"""
    # Milliseconds from the request's arrival to its answer.
    response_time_ms: float


class DocumentAnswer(TypedDict):
    """A document, and a part of its text."""
    # A document, without its text.
    document: DocumentAnswerDocument
    # Its text in order. Empty where it could not be read: `document.problem` says why.
    passages: List[DocumentPassage]
    pagination: DocumentAnswerPagination
    meta: DocumentAnswerMeta


class FunderStatisticsOpenOpportunities(TypedDict):
    """Opportunities that are posted now."""
    # Posted grants.
    grants: int
    # Posted contracts.
    contracts: int


class FunderStatisticsAwards(TypedDict):
    """"""
    # Number of awards.
    total: int
    # US dollars: the sum of the awards' `obligated_amount`, else `amount_max`.
    amount: float
    # Median award in US dollars. Null without amounts.
    median_amount: Union[float, None]


class FunderStatisticsAwardsByFiscalYear(TypedDict):
    """"""
    fiscal_year: int
    # Number of awards.
    awards: int
    # US dollars: the sum of the awards' `obligated_amount`, else `amount_max`.
    amount: float


class FunderStatisticsTopProgramme(TypedDict):
    """"""
    number: str
    title: Union[str, None]
    # Number of awards.
    awards: int
    # US dollars: the sum of the awards' `obligated_amount`, else `amount_max`.
    amount: float


class FunderStatisticsTopRecipient(TypedDict):
    """"""
    name: str
    uei: Union[str, None]
    # Number of awards.
    awards: int
    # US dollars: the sum of the awards' `obligated_amount`, else `amount_max`.
    amount: float


class FunderStatistics(TypedDict):
    """What a funder has open, and what it awarded. Archived records do not count."""
    # The funder's id.
    funder_id: str
    # Opportunities that are posted now.
    open_opportunities: FunderStatisticsOpenOpportunities
    awards: FunderStatisticsAwards
    # By the day of the award, newest first. The fiscal year 2027 begins on 1 October 2026.
    awards_by_fiscal_year: List[FunderStatisticsAwardsByFiscalYear]
    # The ten assistance listings of the greatest amounts.
    top_programmes: List[FunderStatisticsTopProgramme]
    # The ten recipients of the greatest amounts, by UEI, else by name.
    top_recipients: List[FunderStatisticsTopRecipient]
    as_of: Union[str, None]


class FoundGrantPassageRange(TypedDict):
    """"""
    start: int
    end: int


class FoundGrantPassage(TypedDict):
    """A passage of a document that has what was searched for."""
    # Id of the document: `GET /documents/{id}` gives all of its text.
    document_id: str
    # Name of the document in an archive, or of a file without an address; null of others.
    name: Union[str, None]
    # Address of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of this API added.
    url: Union[str, None]
    # Page on which the passage begins; null where the format has no pages.
    page: Union[int, None]
    # Page on which it ends.
    last_page: Union[int, None]
    # Headings above it, the outermost first.
    heading: Union[str, None]
    # The passage: paragraphs, items and rows, each on a line.
    text: str
    # What to mark in `text`, in its order: from `start` to before `end`, in UTF-16 code units, as JavaScript, Java and
    # C# count.
    ranges: List[FoundGrantPassageRange]


class FoundGrant(TypedDict):
    """A grant that a semantic search found."""
    # Id of the record. It is the same in every copy of the catalogue.
    id: str
    title: str
    description: str
    # US dollars.
    amount_min: Union[float, None]
    # US dollars.
    amount_max: Union[float, None]
    # Always null on awarded projects.
    deadline_date: Union[str, None]
    # Only on awarded projects, in place of a deadline.
    project_end_date: NotRequired[Union[str, None]]
    # Status as published.
    status: Literal["open", "posted", "closed", "forecasted", "upcoming"]
    # Place, as free text.
    geography: Union[str, None]
    # The funder's id.
    funder_id: str
    funder_name: str
    # Address of the published notice.
    listing_url: Union[str, None]
    # When the opportunity was posted.
    created_at: str
    categories: List[str]
    relevance_score: float
    explanation: NotRequired[Explanation]
    highlights: NotRequired[Highlights]
    # Up to three passages of the record's documents, the best first. Only with `passages=true`.
    passages: NotRequired[List[FoundGrantPassage]]
    type: Literal["grants"]


class FoundContractPassageRange(TypedDict):
    """"""
    start: int
    end: int


class FoundContractPassage(TypedDict):
    """A passage of a document that has what was searched for."""
    # Id of the document: `GET /documents/{id}` gives all of its text.
    document_id: str
    # Name of the document in an archive, or of a file without an address; null of others.
    name: Union[str, None]
    # Address of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of this API added.
    url: Union[str, None]
    # Page on which the passage begins; null where the format has no pages.
    page: Union[int, None]
    # Page on which it ends.
    last_page: Union[int, None]
    # Headings above it, the outermost first.
    heading: Union[str, None]
    # The passage: paragraphs, items and rows, each on a line.
    text: str
    # What to mark in `text`, in its order: from `start` to before `end`, in UTF-16 code units, as JavaScript, Java and
    # C# count.
    ranges: List[FoundContractPassageRange]


class FoundContract(TypedDict):
    """A contract that a semantic search found."""
    # Id of the record. It is the same in every copy of the catalogue.
    id: str
    title: str
    description: str
    # US dollars.
    amount_min: Union[float, None]
    # US dollars.
    amount_max: Union[float, None]
    # Always null on awarded projects.
    deadline_date: Union[str, None]
    # Only on awarded projects, in place of a deadline.
    project_end_date: NotRequired[Union[str, None]]
    # `open`, `closed`, `upcoming`, `forecasted`, `cancelled` or `awarded`, into which publishers' words are translated;
    # any other status is its publisher's own, in lower case.
    status: str
    # Place, as free text.
    geography: Union[str, None]
    document_url: Union[str, None]
    # Address of the published notice.
    listing_url: Union[str, None]
    # NAICS code of the industry.
    naics: Union[str, None]
    primary_contact_email: Union[str, None]
    # A GSA set-aside code, or the publisher's own.
    set_aside_code: Union[str, None]
    # The funder's id.
    funder_id: str
    funder_name: str
    # When the opportunity was posted.
    created_at: str
    categories: List[str]
    relevance_score: float
    explanation: NotRequired[Explanation]
    highlights: NotRequired[Highlights]
    # Up to three passages of the record's documents, the best first. Only with `passages=true`.
    passages: NotRequired[List[FoundContractPassage]]
    type: Literal["contracts"]


class SemanticSearchAnswerMeta(TypedDict):
    """"""
    # Milliseconds from the request's arrival to its answer.
    response_time_ms: float
    # Mode that was used. It is `keyword` for a hybrid search whose query could not be embedded, because the embedding
    # model was not reached.
    search_mode: Literal["keyword", "semantic", "hybrid"]
    # Limit that was applied.
    limit: int
    # Records in this answer.
    returned: int
    # How fresh the dataset is: the time of its newest imported file, or of its last change where none was imported.
    # Records may change without it. Whether any changed since a moment, the feed says: `sort_by=updated_at&order=asc`
    # of a list, with `updated_after`.
    data_as_of: str
    understood: NotRequired[Understood]


class SemanticSearchAnswer(TypedDict):
    """Grants and contracts, the most relevant first."""
    results: List[Union[FoundGrant, FoundContract]]
    meta: SemanticSearchAnswerMeta


class SuggestionDatasets(TypedDict):
    """The same by dataset, for those that have the value, in archived records at least."""
    # Total of the grants.
    grants: NotRequired[int]
    # Total of the contracts.
    contracts: NotRequired[int]
    # Total of the funders.
    funders: NotRequired[int]


class Suggestion(TypedDict):
    """A suggestion."""
    # What it is: a value of the filter `agency`, `category`, `assistance_listing`, `naics`, `psc` or `set_aside`;
    # `funder`, of `funder_id`; `word`, of `search`; `title`, a record.
    kind: Literal["agency", "funder", "category", "assistance_listing", "naics", "psc", "set_aside", "word", "title"]
    # Value of that filter as it is. Of a title, the record's id.
    value: str
    # The text to show.
    label: str
    # Current records that it finds: those of the lists without other filters.
    records: int
    # The same by dataset, for those that have the value, in archived records at least.
    datasets: SuggestionDatasets


class SuggestionsAnswerMeta(TypedDict):
    """"""
    # Milliseconds from the request's arrival to its answer.
    response_time_ms: float
    # Limit that was applied.
    limit: int
    # Suggestions in this answer.
    returned: int


class SuggestionsAnswer(TypedDict):
    """Suggestions, the best first."""
    results: List[Suggestion]
    meta: SuggestionsAnswerMeta


class MultiSearchAnswerResult(TypedDict):
    """"""
    # HTTP status that the search alone would have.
    status: int
    # Seconds after which to try it again, where it was refused for now.
    retry_after: NotRequired[int]
    # What the endpoint answers: its page, or the problem document of a search that failed.
    body: Dict[str, Any]


class MultiSearchAnswerMeta(TypedDict):
    """"""
    # Milliseconds from the request's arrival to its answer.
    response_time_ms: float
    # Number of answers.
    returned: int


class MultiSearchAnswer(TypedDict):
    """Answers of several searches."""
    # Answers, in the order of the searches.
    results: List[MultiSearchAnswerResult]
    meta: MultiSearchAnswerMeta


class FieldError(TypedDict):
    """One wrong parameter or field."""
    # The parameter or field, as the client wrote it.
    parameter: str
    # Reason, worded to follow the parameter's name.
    message: str


class ProblemDocument(TypedDict):
    """Why a request failed (RFC 9457)."""
    # Kind of problem. Switch on this.
    type: Literal["urn:funding-opportunities:problem:invalid-parameters", "urn:funding-opportunities:problem:invalid-body", "urn:funding-opportunities:problem:invalid-signature", "urn:funding-opportunities:problem:unauthorized", "urn:funding-opportunities:problem:not-signed-in", "urn:funding-opportunities:problem:forbidden", "urn:funding-opportunities:problem:outside-key-limits", "urn:funding-opportunities:problem:not-included", "urn:funding-opportunities:problem:email-not-confirmed", "urn:funding-opportunities:problem:role-required", "urn:funding-opportunities:problem:not-found", "urn:funding-opportunities:problem:unknown-route", "urn:funding-opportunities:problem:conflict", "urn:funding-opportunities:problem:method-not-allowed", "urn:funding-opportunities:problem:body-too-large", "urn:funding-opportunities:problem:unsupported-media-type", "urn:funding-opportunities:problem:quota-exceeded", "urn:funding-opportunities:problem:write-limit-exceeded", "urn:funding-opportunities:problem:server-error", "urn:funding-opportunities:problem:unavailable"]
    # The kind of problem, in words.
    title: str
    # The response's status.
    status: int
    # Cause of the problem and what to do about it, for this request.
    detail: str
    # Path of the request.
    instance: str
    # The response's `X-Request-Id`, for support.
    request_id: str
    # All wrong parameters or fields, if any are.
    errors: NotRequired[List[FieldError]]


class GrantCreatedEvent(TypedDict):
    """A grant was added."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["grant.created"]
    # When it happened.
    created_at: str
    data: Grant
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


GrantUpdatedEventChange = TypedDict("GrantUpdatedEventChange", {"field": str, "from": Any, "to": Any})


class GrantUpdatedEvent(TypedDict):
    """A grant was changed."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["grant.updated"]
    # When it happened.
    created_at: str
    data: Grant
    # What changed, in the record or its details. Empty where it is nothing that the API shows.
    changes: List[GrantUpdatedEventChange]
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


class GrantDeadlineApproachingEvent(TypedDict):
    """A grant's deadline is near: by default, seven days away."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["grant.deadline_approaching"]
    # When it happened.
    created_at: str
    data: Grant
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


class GrantDocumentsChangedEvent(TypedDict):
    """What a grant's documents say has changed: one came, was read anew, or went."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["grant.documents_changed"]
    # When it happened.
    created_at: str
    data: Grant
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


class ContractCreatedEvent(TypedDict):
    """A contract was added."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["contract.created"]
    # When it happened.
    created_at: str
    data: Contract
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


ContractUpdatedEventChange = TypedDict("ContractUpdatedEventChange", {"field": str, "from": Any, "to": Any})


class ContractUpdatedEvent(TypedDict):
    """A contract was changed."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["contract.updated"]
    # When it happened.
    created_at: str
    data: Contract
    # What changed, in the record or its details. Empty where it is nothing that the API shows.
    changes: List[ContractUpdatedEventChange]
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


class ContractDeadlineApproachingEvent(TypedDict):
    """A contract's deadline is near: by default, seven days away."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["contract.deadline_approaching"]
    # When it happened.
    created_at: str
    data: Contract
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


class ContractDocumentsChangedEvent(TypedDict):
    """What a contract's documents say has changed: one came, was read anew, or went."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["contract.documents_changed"]
    # When it happened.
    created_at: str
    data: Contract
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


class FunderCreatedEvent(TypedDict):
    """A funder was added."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["funder.created"]
    # When it happened.
    created_at: str
    data: Funder
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


FunderUpdatedEventChange = TypedDict("FunderUpdatedEventChange", {"field": str, "from": Any, "to": Any})


class FunderUpdatedEvent(TypedDict):
    """A funder was changed."""
    # The same in every delivery of the event, and in the header `webhook-id`.
    id: str
    event: Literal["funder.updated"]
    # When it happened.
    created_at: str
    data: Funder
    # What changed, in the record or its details. Empty where it is nothing that the API shows.
    changes: List[FunderUpdatedEventChange]
    # True in a test event, whose record is a sample with a reserved id: store nothing of it. Absent in all other
    # events.
    test: NotRequired[bool]


WebhookEvent = Union[GrantCreatedEvent, GrantUpdatedEvent, GrantDeadlineApproachingEvent, GrantDocumentsChangedEvent, ContractCreatedEvent, ContractUpdatedEvent, ContractDeadlineApproachingEvent, ContractDocumentsChangedEvent, FunderCreatedEvent, FunderUpdatedEvent]
FoundOpportunity = Union[FoundGrant, FoundContract]


class Grants(Collection[Grant]):
    """List grants"""

    _path = "grants-api"
    _columns = tuple(Grant.__annotations__)

    def list(
        self,
        *,
        search: Optional[str] = None,
        search_mode: Optional[Literal["keyword", "semantic", "hybrid"]] = None,
        search_in: Optional[Literal["records", "documents", "all"]] = None,
        similar_to: Optional[str] = None,
        opportunity_type: Optional[Literal["open", "awarded", "all"]] = None,
        status: Optional[Union[str, Sequence[Literal["open", "posted", "closed", "forecasted", "upcoming"]]]] = None,
        exclude_status: Optional[Union[str, Sequence[Literal["open", "posted", "closed", "forecasted", "upcoming"]]]] = None,
        states: Optional[Union[str, Sequence[Literal["AA", "AE", "AK", "AL", "AP", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "FM", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MH", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "PW", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY"]]]] = None,
        include_national: Optional[bool] = None,
        geography: Optional[str] = None,
        category: Optional[Union[str, Sequence[str]]] = None,
        exclude_category: Optional[Union[str, Sequence[str]]] = None,
        min_amount: Optional[int] = None,
        max_amount: Optional[int] = None,
        deadline_after: Optional[Union[str, date]] = None,
        deadline_before: Optional[Union[str, date]] = None,
        closing_within: Optional[int] = None,
        posted_after: Optional[Union[str, date, datetime]] = None,
        posted_before: Optional[Union[str, date, datetime]] = None,
        applicant_type: Optional[Union[str, Sequence[Literal["individual", "organization", "government_state", "government_county", "government_municipal", "government_special_district", "government_tribal", "organization_tribal_other", "school_district_independent", "higher_education_public", "higher_education_private", "non_profit_with_501c3", "nonprofit_without_501c3", "for_profit_small_business", "for_profit_not_small_business", "unrestricted", "custom"]]]] = None,
        include_unrestricted: Optional[bool] = None,
        agency: Optional[Union[str, Sequence[str]]] = None,
        exclude_agency: Optional[Union[str, Sequence[str]]] = None,
        funder_id: Optional[Union[str, Sequence[str]]] = None,
        exclude_funder_id: Optional[Union[str, Sequence[str]]] = None,
        assistance_listing: Optional[Union[str, Sequence[str]]] = None,
        exclude_assistance_listing: Optional[Union[str, Sequence[str]]] = None,
        funding_instrument: Optional[Union[str, Sequence[Literal["grant", "cooperative_agreement", "procurement_contract", "other"]]]] = None,
        cost_sharing: Optional[bool] = None,
        source: Optional[Union[str, Sequence[str]]] = None,
        exclude_source: Optional[Union[str, Sequence[str]]] = None,
        updated_after: Optional[Union[str, date, datetime]] = None,
        updated_before: Optional[Union[str, date, datetime]] = None,
        first_seen_after: Optional[Union[str, date, datetime]] = None,
        first_seen_before: Optional[Union[str, date, datetime]] = None,
        min_expected_awards: Optional[int] = None,
        max_expected_awards: Optional[int] = None,
        min_total_funding: Optional[int] = None,
        max_total_funding: Optional[int] = None,
        project_start_after: Optional[Union[str, date]] = None,
        project_start_before: Optional[Union[str, date]] = None,
        project_end_after: Optional[Union[str, date]] = None,
        project_end_before: Optional[Union[str, date]] = None,
        recipient: Optional[Union[str, Sequence[str]]] = None,
        exclude_recipient: Optional[Union[str, Sequence[str]]] = None,
        uei: Optional[Union[str, Sequence[str]]] = None,
        exclude_uei: Optional[Union[str, Sequence[str]]] = None,
        recipient_state: Optional[Union[str, Sequence[Literal["AA", "AE", "AK", "AL", "AP", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "FM", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MH", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "PW", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY"]]]] = None,
        exclude_recipient_state: Optional[Union[str, Sequence[Literal["AA", "AE", "AK", "AL", "AP", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "FM", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MH", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "PW", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY"]]]] = None,
        include_archived: Optional[bool] = None,
        include_versions: Optional[bool] = None,
        explain: Optional[bool] = None,
        highlight: Optional[bool] = None,
        passages: Optional[bool] = None,
        sort_by: Optional[Union[Literal["created_at", "updated_at", "deadline_date", "amount_min", "amount_max", "title", "relevance", "-created_at", "-updated_at", "-deadline_date", "-amount_min", "-amount_max", "-title", "-relevance"], List[Literal["created_at", "-created_at", "deadline_date", "-deadline_date", "amount_min", "-amount_min", "amount_max", "-amount_max", "title", "-title"]]]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        archived_as_ids: Optional[bool] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        ids: Optional[Union[str, Sequence[str]]] = None,
        expand: Optional[Union[str, Sequence[Literal["details"]]]] = None,
        fields: Optional[Union[str, Sequence[Literal["id", "title", "description", "amount_min", "amount_max", "deadline_date", "project_end_date", "status", "geography", "funder_id", "funder_name", "listing_url", "created_at", "categories", "opportunity_number", "notice_type", "agency", "applicant_types", "eligibility_text", "assistance_listings", "funding_instrument", "cost_sharing", "expected_awards", "total_funding", "psc", "place_of_performance", "recipient", "award_number", "award_type", "obligated_amount", "outlayed_amount", "project_start_date", "contact", "documents", "deadline_at", "deadline_assumed", "deadline_note", "same_as", "source", "updated_at", "first_seen_at", "last_seen_at", "link_status", "link_checked_at", "documents_read", "document_facts"]]]] = None,
        facets: Optional[Union[str, Sequence[Literal["status", "states", "category", "applicant_type", "agency", "assistance_listing", "funding_instrument", "cost_sharing", "source", "recipient", "recipient_state"]]]] = None,
        facets_mode: Optional[Literal["conjunctive", "disjunctive"]] = None,
        facets_sort_by: Optional[Literal["count", "amount"]] = None,
    ) -> "Listing[Grant]":
        """
        Makes a list, which asks the API when it is iterated or counted.

        Args:
            search: Words to look for in title and description. `"two words"` is a phrase, `-word` excludes, `or`
                means either. A number (opportunity, solicitation, assistance listing, NAICS) finds the records that
                have it, however it is written.
            search_mode: `keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings.
                The last two need `search`. Default: "keyword".
            search_in: Where `search` looks: in `records`, the text of their `documents`, or `all`. The last two
                rank, by a record's best passage. `documents` ranks by words alone. Default: "records".
            similar_to: Id of a grant, contract or funder. Finds the records that are most like it, by their words
                and meaning, without itself. `search` is a filter beside it: every word has to be there. By default,
                sorted by `relevance`.
            opportunity_type: `open`: opportunities whether upcoming, open or closed. `awarded`: money already
                awarded. `all`: both. `status` and `deadline_date` tell which can still be applied for. Default: "open".
            status: `open` and `posted` mean the same, as do `upcoming` and `forecasted`. Several values are
                separated by commas.
            exclude_status: Leaves out records that have any of these values, which are those of `status`. Records
                without one stay. Several values are separated by commas.
            states: USPS codes. Finds records for any of these states. Several values are separated by commas.
            include_national: With `states`: include national records. Default: false.
            geography: Text to look for in the record's `geography`. Use `states` instead.
            category: Full name of a category, in upper or lower case. For several values, repeat the parameter.
            exclude_category: Leaves out records that have any of these values, which are those of `category`.
                Records without one stay. For several values, repeat the parameter.
            min_amount: US dollars: `amount_max` is at least this.
            max_amount: US dollars: `amount_min` is at most this.
            deadline_after: The deadline is after this day. `today` is the publisher's day.
            deadline_before: The deadline is before this day. `today` is the publisher's day.
            closing_within: Open opportunities whose deadline is from today to so many days from today, both
                included, where the record's publisher is.
            posted_after: `created_at` is later than this; a day begins in UTC.
            posted_before: `created_at` is earlier than this; a day begins in UTC.
            applicant_type: Kinds of applicants, in the values of CommonGrants. Finds records that any of them may
                apply for, by what their source says. Those that anyone may apply for (`unrestricted`) are found, too.
                Several values are separated by commas.
            include_unrestricted: With `applicant_type`: `false` leaves out records that anyone may apply for.
                Default: true.
            agency: Name of an organization as a whole, in upper or lower case, a common abbreviation (`USDA`), or
                its id as a funder. Finds what it and all organizations within it publish. For several values, repeat
                the parameter.
            exclude_agency: Leaves out records that have any of these values, which are those of `agency`. Records
                without one stay. For several values, repeat the parameter.
            funder_id: The record's funder, by id. Several values are separated by commas.
            exclude_funder_id: Leaves out records that have any of these values, which are those of `funder_id`.
                Records without one stay. Several values are separated by commas.
            assistance_listing: Number of an assistance listing (CFDA number). `10.` finds all of the agency.
                Several values are separated by commas.
            exclude_assistance_listing: Leaves out records that have any of these values, which are those of
                `assistance_listing`. Records without one stay. Several values are separated by commas.
            funding_instrument: Forms of funding. Finds records with any of them. Several values are separated by
                commas.
            cost_sharing: Whether the applicant has to bring a part of the money. Records whose source does not say
                are not found.
            source: `source` of the record's details. For several values, repeat the parameter.
            exclude_source: Leaves out records that have any of these values, which are those of `source`. Records
                without one stay. For several values, repeat the parameter.
            updated_after: The record changed in this catalogue later than this; a day begins in UTC.
            updated_before: The record changed in this catalogue last before this; a day begins in UTC.
            first_seen_after: The record came to this catalogue later than this; a day begins in UTC.
            first_seen_before: The record came to this catalogue before this; a day begins in UTC.
            min_expected_awards: `expected_awards` of the record's details is at least this.
            max_expected_awards: `expected_awards` of the record's details is at most this.
            min_total_funding: `total_funding` of the record's details is at least this.
            max_total_funding: `total_funding` of the record's details is at most this.
            project_start_after: `project_start_date` is after this day. Awarded projects alone have one.
            project_start_before: `project_start_date` is before this day. Awarded projects alone have one.
            project_end_after: `project_end_date` is after this day. Awarded projects alone have one.
            project_end_before: `project_end_date` is before this day. Awarded projects alone have one.
            recipient: Name of who received the award, as a whole, in upper or lower case and without regard to
                punctuation. Awarded projects alone have one: see `opportunity_type`. For several values, repeat the
                parameter.
            exclude_recipient: Leaves out records that have any of these values, which are those of `recipient`.
                Records without one stay. For several values, repeat the parameter.
            uei: Unique Entity Identifier of who received the award. Awarded projects alone have one. Several values
                are separated by commas.
            exclude_uei: Leaves out records that have any of these values, which are those of `uei`. Records without
                one stay. Several values are separated by commas.
            recipient_state: USPS code of the recipient's state. `states` are those where the work is done. Several
                values are separated by commas.
            exclude_recipient_state: Leaves out records that have any of these values, which are those of
                `recipient_state`. Records without one stay. Several values are separated by commas.
            include_archived: Include records that have left the current catalogue. Default: false.
            include_versions: Include earlier notices of an opportunity, and the same opportunity from other
                sources. By default its newest current record stands for all. Default: false.
            explain: Say what was understood of the search, in `meta.understood`, and the parts of each result's
                score, in `explanation`. It takes about twice as long, and needs a ranked list. Not in CSV. Default:
                false.
            highlight: Add `highlights` to each result: by field, the best passage and what to mark in it. Needs
                `search`. Not in CSV. Default: false.
            passages: Add `passages` to each result: up to three of its documents that have what was searched for,
                with their pages and what to mark. Needs `search`. Not in CSV. Default: false.
            sort_by: Of several (`deadline_date,-amount_max`; up to three), those with `-` descend, and the others
                ascend. Nulls come last in both directions, and ties are ordered by id. `updated_at` with `order=asc` is
                a feed that passes over no change. By default, a semantic or hybrid search is sorted by `relevance`, and
                so is a list with `similar_to`. `relevance` needs one of them or `search`. Several values are separated
                by commas. Default: "created_at".
            order: Direction of a `sort_by` of one, without `-`. Default: "desc".
            archived_as_ids: Include records that have left the current catalogue, in `archived`, by their ids
                alone. Not in CSV. Default: false.
            limit: Maximum number of records in the answer. Without it, CSV has all records that match, up to
                10,000. Default: 20.
            offset: Records to skip. Default: 0.
            ids: Ids of the records to answer with, in this order, whatever they are: awarded, archived. `missing`
                of the answer has those that no record has. In place of filters, searches, orders and pages. Not in a
                count. Several values are separated by commas.
            expand: `details` adds to each record what its source says beside the record's own fields: who may
                apply, agency, assistance listings, documents, the hour of the deadline.
            fields: Fields to answer with; `id` always comes, and so do scores, explanations and highlights. Those
                of details are in `details`, without `expand`. In CSV, the columns. Several values are separated by
                commas.
            facets: Fields by which to count the list's records. `facets` of the answer has the hundred most
                frequent values of each field. A value's count is the total of the list with the field's parameter set
                to it. Several values are separated by commas.
            facets_mode: `disjunctive` counts each facet without the filter by its own parameter: what could be
                chosen in its place or beside it. Default: "conjunctive".
            facets_sort_by: `amount` adds to each value of the facets the US dollars of its awards, and puts the
                values of the most dollars first: of `facets=recipient`, the top recipients. An award's dollars are its
                `obligated_amount`, else its `amount_max`. Default: "count".
        """
        return self._listing(
            {
                "search": search,
                "search_mode": search_mode,
                "search_in": search_in,
                "similar_to": similar_to,
                "opportunity_type": opportunity_type,
                "status": status,
                "exclude_status": exclude_status,
                "states": states,
                "include_national": include_national,
                "geography": geography,
                "category": category,
                "exclude_category": exclude_category,
                "min_amount": min_amount,
                "max_amount": max_amount,
                "deadline_after": deadline_after,
                "deadline_before": deadline_before,
                "closing_within": closing_within,
                "posted_after": posted_after,
                "posted_before": posted_before,
                "applicant_type": applicant_type,
                "include_unrestricted": include_unrestricted,
                "agency": agency,
                "exclude_agency": exclude_agency,
                "funder_id": funder_id,
                "exclude_funder_id": exclude_funder_id,
                "assistance_listing": assistance_listing,
                "exclude_assistance_listing": exclude_assistance_listing,
                "funding_instrument": funding_instrument,
                "cost_sharing": cost_sharing,
                "source": source,
                "exclude_source": exclude_source,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "first_seen_after": first_seen_after,
                "first_seen_before": first_seen_before,
                "min_expected_awards": min_expected_awards,
                "max_expected_awards": max_expected_awards,
                "min_total_funding": min_total_funding,
                "max_total_funding": max_total_funding,
                "project_start_after": project_start_after,
                "project_start_before": project_start_before,
                "project_end_after": project_end_after,
                "project_end_before": project_end_before,
                "recipient": recipient,
                "exclude_recipient": exclude_recipient,
                "uei": uei,
                "exclude_uei": exclude_uei,
                "recipient_state": recipient_state,
                "exclude_recipient_state": exclude_recipient_state,
                "include_archived": include_archived,
                "include_versions": include_versions,
                "explain": explain,
                "highlight": highlight,
                "passages": passages,
                "sort_by": sort_by,
                "order": order,
                "archived_as_ids": archived_as_ids,
                "limit": limit,
                "offset": offset,
                "ids": ids,
                "expand": expand,
                "fields": fields,
                "facets": facets,
                "facets_mode": facets_mode,
                "facets_sort_by": facets_sort_by,
            }
        )


class Contracts(Collection[Contract]):
    """List contracts"""

    _path = "contracts-api"
    _columns = tuple(Contract.__annotations__)

    def list(
        self,
        *,
        search: Optional[str] = None,
        search_mode: Optional[Literal["keyword", "semantic", "hybrid"]] = None,
        search_in: Optional[Literal["records", "documents", "all"]] = None,
        similar_to: Optional[str] = None,
        opportunity_type: Optional[Literal["open", "awarded", "all"]] = None,
        status: Optional[Union[str, Sequence[str]]] = None,
        exclude_status: Optional[Union[str, Sequence[str]]] = None,
        states: Optional[Union[str, Sequence[Literal["AA", "AE", "AK", "AL", "AP", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "FM", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MH", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "PW", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY"]]]] = None,
        include_national: Optional[bool] = None,
        geography: Optional[str] = None,
        category: Optional[Union[str, Sequence[str]]] = None,
        exclude_category: Optional[Union[str, Sequence[str]]] = None,
        min_amount: Optional[int] = None,
        max_amount: Optional[int] = None,
        deadline_after: Optional[Union[str, date]] = None,
        deadline_before: Optional[Union[str, date]] = None,
        closing_within: Optional[int] = None,
        posted_after: Optional[Union[str, date, datetime]] = None,
        posted_before: Optional[Union[str, date, datetime]] = None,
        applicant_type: Optional[Union[str, Sequence[Literal["individual", "organization", "government_state", "government_county", "government_municipal", "government_special_district", "government_tribal", "organization_tribal_other", "school_district_independent", "higher_education_public", "higher_education_private", "non_profit_with_501c3", "nonprofit_without_501c3", "for_profit_small_business", "for_profit_not_small_business", "unrestricted", "custom"]]]] = None,
        include_unrestricted: Optional[bool] = None,
        agency: Optional[Union[str, Sequence[str]]] = None,
        exclude_agency: Optional[Union[str, Sequence[str]]] = None,
        funder_id: Optional[Union[str, Sequence[str]]] = None,
        exclude_funder_id: Optional[Union[str, Sequence[str]]] = None,
        assistance_listing: Optional[Union[str, Sequence[str]]] = None,
        exclude_assistance_listing: Optional[Union[str, Sequence[str]]] = None,
        funding_instrument: Optional[Union[str, Sequence[Literal["grant", "cooperative_agreement", "procurement_contract", "other"]]]] = None,
        cost_sharing: Optional[bool] = None,
        source: Optional[Union[str, Sequence[str]]] = None,
        exclude_source: Optional[Union[str, Sequence[str]]] = None,
        updated_after: Optional[Union[str, date, datetime]] = None,
        updated_before: Optional[Union[str, date, datetime]] = None,
        first_seen_after: Optional[Union[str, date, datetime]] = None,
        first_seen_before: Optional[Union[str, date, datetime]] = None,
        min_expected_awards: Optional[int] = None,
        max_expected_awards: Optional[int] = None,
        min_total_funding: Optional[int] = None,
        max_total_funding: Optional[int] = None,
        project_start_after: Optional[Union[str, date]] = None,
        project_start_before: Optional[Union[str, date]] = None,
        project_end_after: Optional[Union[str, date]] = None,
        project_end_before: Optional[Union[str, date]] = None,
        recipient: Optional[Union[str, Sequence[str]]] = None,
        exclude_recipient: Optional[Union[str, Sequence[str]]] = None,
        uei: Optional[Union[str, Sequence[str]]] = None,
        exclude_uei: Optional[Union[str, Sequence[str]]] = None,
        recipient_state: Optional[Union[str, Sequence[Literal["AA", "AE", "AK", "AL", "AP", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "FM", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MH", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "PW", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY"]]]] = None,
        exclude_recipient_state: Optional[Union[str, Sequence[Literal["AA", "AE", "AK", "AL", "AP", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "FM", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MH", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "PW", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY"]]]] = None,
        include_archived: Optional[bool] = None,
        include_versions: Optional[bool] = None,
        naics: Optional[Union[str, Sequence[str]]] = None,
        exclude_naics: Optional[Union[str, Sequence[str]]] = None,
        psc: Optional[Union[str, Sequence[str]]] = None,
        exclude_psc: Optional[Union[str, Sequence[str]]] = None,
        set_aside: Optional[Union[str, Sequence[str]]] = None,
        exclude_set_aside: Optional[Union[str, Sequence[str]]] = None,
        explain: Optional[bool] = None,
        highlight: Optional[bool] = None,
        passages: Optional[bool] = None,
        sort_by: Optional[Union[Literal["created_at", "updated_at", "deadline_date", "amount_min", "amount_max", "title", "relevance", "-created_at", "-updated_at", "-deadline_date", "-amount_min", "-amount_max", "-title", "-relevance"], List[Literal["created_at", "-created_at", "deadline_date", "-deadline_date", "amount_min", "-amount_min", "amount_max", "-amount_max", "title", "-title"]]]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        archived_as_ids: Optional[bool] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        ids: Optional[Union[str, Sequence[str]]] = None,
        expand: Optional[Union[str, Sequence[Literal["details"]]]] = None,
        fields: Optional[Union[str, Sequence[Literal["id", "title", "description", "amount_min", "amount_max", "deadline_date", "project_end_date", "status", "geography", "document_url", "listing_url", "naics", "primary_contact_email", "set_aside_code", "funder_id", "funder_name", "created_at", "categories", "opportunity_number", "notice_type", "agency", "applicant_types", "eligibility_text", "assistance_listings", "funding_instrument", "cost_sharing", "expected_awards", "total_funding", "psc", "place_of_performance", "recipient", "award_number", "award_type", "obligated_amount", "outlayed_amount", "project_start_date", "contact", "documents", "deadline_at", "deadline_assumed", "deadline_note", "same_as", "source", "updated_at", "first_seen_at", "last_seen_at", "link_status", "link_checked_at", "documents_read", "document_facts"]]]] = None,
        facets: Optional[Union[str, Sequence[Literal["status", "states", "category", "applicant_type", "agency", "assistance_listing", "funding_instrument", "cost_sharing", "source", "recipient", "recipient_state", "naics", "psc", "set_aside"]]]] = None,
        facets_mode: Optional[Literal["conjunctive", "disjunctive"]] = None,
        facets_sort_by: Optional[Literal["count", "amount"]] = None,
    ) -> "Listing[Contract]":
        """
        Makes a list, which asks the API when it is iterated or counted.

        Args:
            search: Words to look for in title and description. `"two words"` is a phrase, `-word` excludes, `or`
                means either. A number (opportunity, solicitation, assistance listing, NAICS) finds the records that
                have it, however it is written.
            search_mode: `keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings.
                The last two need `search`. Default: "keyword".
            search_in: Where `search` looks: in `records`, the text of their `documents`, or `all`. The last two
                rank, by a record's best passage. `documents` ranks by words alone. Default: "records".
            similar_to: Id of a grant, contract or funder. Finds the records that are most like it, by their words
                and meaning, without itself. `search` is a filter beside it: every word has to be there. By default,
                sorted by `relevance`.
            opportunity_type: `open`: opportunities whether upcoming, open or closed. `awarded`: money already
                awarded. `all`: both. `status` and `deadline_date` tell which can still be applied for. Default: "open".
            status: `open`, `closed`, `upcoming`, `forecasted`, `cancelled`, `awarded`, or a status of a publisher's
                own, in upper or lower case. `open` and `posted` mean the same, as do `upcoming` and `forecasted`.
                Publishers' words for these are known: `active` is `open`, `expired` is `closed`, `canceled` is
                `cancelled`. For several values, repeat the parameter.
            exclude_status: Leaves out records that have any of these values, which are those of `status`. Records
                without one stay. For several values, repeat the parameter.
            states: USPS codes. Finds records for any of these states. Several values are separated by commas.
            include_national: With `states`: include national records. Default: false.
            geography: Text to look for in the record's `geography`. Use `states` instead.
            category: Full name of a category, in upper or lower case. For several values, repeat the parameter.
            exclude_category: Leaves out records that have any of these values, which are those of `category`.
                Records without one stay. For several values, repeat the parameter.
            min_amount: US dollars: `amount_max` is at least this.
            max_amount: US dollars: `amount_min` is at most this.
            deadline_after: The deadline is after this day. `today` is the publisher's day.
            deadline_before: The deadline is before this day. `today` is the publisher's day.
            closing_within: Open opportunities whose deadline is from today to so many days from today, both
                included, where the record's publisher is.
            posted_after: `created_at` is later than this; a day begins in UTC.
            posted_before: `created_at` is earlier than this; a day begins in UTC.
            applicant_type: Kinds of applicants, in the values of CommonGrants. Finds records that any of them may
                apply for, by what their source says. Those that anyone may apply for (`unrestricted`) are found, too.
                Several values are separated by commas.
            include_unrestricted: With `applicant_type`: `false` leaves out records that anyone may apply for.
                Default: true.
            agency: Name of an organization as a whole, in upper or lower case, a common abbreviation (`USDA`), or
                its id as a funder. Finds what it and all organizations within it publish. For several values, repeat
                the parameter.
            exclude_agency: Leaves out records that have any of these values, which are those of `agency`. Records
                without one stay. For several values, repeat the parameter.
            funder_id: The record's funder, by id. Several values are separated by commas.
            exclude_funder_id: Leaves out records that have any of these values, which are those of `funder_id`.
                Records without one stay. Several values are separated by commas.
            assistance_listing: Number of an assistance listing (CFDA number). `10.` finds all of the agency.
                Several values are separated by commas.
            exclude_assistance_listing: Leaves out records that have any of these values, which are those of
                `assistance_listing`. Records without one stay. Several values are separated by commas.
            funding_instrument: Forms of funding. Finds records with any of them. Several values are separated by
                commas.
            cost_sharing: Whether the applicant has to bring a part of the money. Records whose source does not say
                are not found.
            source: `source` of the record's details. For several values, repeat the parameter.
            exclude_source: Leaves out records that have any of these values, which are those of `source`. Records
                without one stay. For several values, repeat the parameter.
            updated_after: The record changed in this catalogue later than this; a day begins in UTC.
            updated_before: The record changed in this catalogue last before this; a day begins in UTC.
            first_seen_after: The record came to this catalogue later than this; a day begins in UTC.
            first_seen_before: The record came to this catalogue before this; a day begins in UTC.
            min_expected_awards: `expected_awards` of the record's details is at least this.
            max_expected_awards: `expected_awards` of the record's details is at most this.
            min_total_funding: `total_funding` of the record's details is at least this.
            max_total_funding: `total_funding` of the record's details is at most this.
            project_start_after: `project_start_date` is after this day. Awarded projects alone have one.
            project_start_before: `project_start_date` is before this day. Awarded projects alone have one.
            project_end_after: `project_end_date` is after this day. Awarded projects alone have one.
            project_end_before: `project_end_date` is before this day. Awarded projects alone have one.
            recipient: Name of who received the award, as a whole, in upper or lower case and without regard to
                punctuation. Awarded projects alone have one: see `opportunity_type`. For several values, repeat the
                parameter.
            exclude_recipient: Leaves out records that have any of these values, which are those of `recipient`.
                Records without one stay. For several values, repeat the parameter.
            uei: Unique Entity Identifier of who received the award. Awarded projects alone have one. Several values
                are separated by commas.
            exclude_uei: Leaves out records that have any of these values, which are those of `uei`. Records without
                one stay. Several values are separated by commas.
            recipient_state: USPS code of the recipient's state. `states` are those where the work is done. Several
                values are separated by commas.
            exclude_recipient_state: Leaves out records that have any of these values, which are those of
                `recipient_state`. Records without one stay. Several values are separated by commas.
            include_archived: Include records that have left the current catalogue. Default: false.
            include_versions: Include earlier notices of an opportunity, and the same opportunity from other
                sources. By default its newest current record stands for all. Default: false.
            naics: NAICS code of the industry, or its first two to five digits: `54` finds all of the sector, which
                may be a range (`31-33`, `44-45`, `48-49`). Several values are separated by commas.
            exclude_naics: Leaves out records that have any of these values, which are those of `naics`. Records
                without one stay. Several values are separated by commas.
            psc: Product or service code (PSC), or its beginning: `R4` finds all of the group. Several values are
                separated by commas.
            exclude_psc: Leaves out records that have any of these values, which are those of `psc`. Records without
                one stay. Several values are separated by commas.
            set_aside: Set-aside, by its GSA code or a common name, in upper or lower case. For several values,
                repeat the parameter.
            exclude_set_aside: Leaves out records that have any of these values, which are those of `set_aside`.
                Records without one stay. For several values, repeat the parameter.
            explain: Say what was understood of the search, in `meta.understood`, and the parts of each result's
                score, in `explanation`. It takes about twice as long, and needs a ranked list. Not in CSV. Default:
                false.
            highlight: Add `highlights` to each result: by field, the best passage and what to mark in it. Needs
                `search`. Not in CSV. Default: false.
            passages: Add `passages` to each result: up to three of its documents that have what was searched for,
                with their pages and what to mark. Needs `search`. Not in CSV. Default: false.
            sort_by: Of several (`deadline_date,-amount_max`; up to three), those with `-` descend, and the others
                ascend. Nulls come last in both directions, and ties are ordered by id. `updated_at` with `order=asc` is
                a feed that passes over no change. By default, a semantic or hybrid search is sorted by `relevance`, and
                so is a list with `similar_to`. `relevance` needs one of them or `search`. Several values are separated
                by commas. Default: "created_at".
            order: Direction of a `sort_by` of one, without `-`. Default: "desc".
            archived_as_ids: Include records that have left the current catalogue, in `archived`, by their ids
                alone. Not in CSV. Default: false.
            limit: Maximum number of records in the answer. Without it, CSV has all records that match, up to
                10,000. Default: 20.
            offset: Records to skip. Default: 0.
            ids: Ids of the records to answer with, in this order, whatever they are: awarded, archived. `missing`
                of the answer has those that no record has. In place of filters, searches, orders and pages. Not in a
                count. Several values are separated by commas.
            expand: `details` adds to each record what its source says beside the record's own fields: who may
                apply, agency, assistance listings, documents, the hour of the deadline.
            fields: Fields to answer with; `id` always comes, and so do scores, explanations and highlights. Those
                of details are in `details`, without `expand`. In CSV, the columns. Several values are separated by
                commas.
            facets: Fields by which to count the list's records. `facets` of the answer has the hundred most
                frequent values of each field. A value's count is the total of the list with the field's parameter set
                to it. Several values are separated by commas.
            facets_mode: `disjunctive` counts each facet without the filter by its own parameter: what could be
                chosen in its place or beside it. Default: "conjunctive".
            facets_sort_by: `amount` adds to each value of the facets the US dollars of its awards, and puts the
                values of the most dollars first: of `facets=recipient`, the top recipients. An award's dollars are its
                `obligated_amount`, else its `amount_max`. Default: "count".
        """
        return self._listing(
            {
                "search": search,
                "search_mode": search_mode,
                "search_in": search_in,
                "similar_to": similar_to,
                "opportunity_type": opportunity_type,
                "status": status,
                "exclude_status": exclude_status,
                "states": states,
                "include_national": include_national,
                "geography": geography,
                "category": category,
                "exclude_category": exclude_category,
                "min_amount": min_amount,
                "max_amount": max_amount,
                "deadline_after": deadline_after,
                "deadline_before": deadline_before,
                "closing_within": closing_within,
                "posted_after": posted_after,
                "posted_before": posted_before,
                "applicant_type": applicant_type,
                "include_unrestricted": include_unrestricted,
                "agency": agency,
                "exclude_agency": exclude_agency,
                "funder_id": funder_id,
                "exclude_funder_id": exclude_funder_id,
                "assistance_listing": assistance_listing,
                "exclude_assistance_listing": exclude_assistance_listing,
                "funding_instrument": funding_instrument,
                "cost_sharing": cost_sharing,
                "source": source,
                "exclude_source": exclude_source,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "first_seen_after": first_seen_after,
                "first_seen_before": first_seen_before,
                "min_expected_awards": min_expected_awards,
                "max_expected_awards": max_expected_awards,
                "min_total_funding": min_total_funding,
                "max_total_funding": max_total_funding,
                "project_start_after": project_start_after,
                "project_start_before": project_start_before,
                "project_end_after": project_end_after,
                "project_end_before": project_end_before,
                "recipient": recipient,
                "exclude_recipient": exclude_recipient,
                "uei": uei,
                "exclude_uei": exclude_uei,
                "recipient_state": recipient_state,
                "exclude_recipient_state": exclude_recipient_state,
                "include_archived": include_archived,
                "include_versions": include_versions,
                "naics": naics,
                "exclude_naics": exclude_naics,
                "psc": psc,
                "exclude_psc": exclude_psc,
                "set_aside": set_aside,
                "exclude_set_aside": exclude_set_aside,
                "explain": explain,
                "highlight": highlight,
                "passages": passages,
                "sort_by": sort_by,
                "order": order,
                "archived_as_ids": archived_as_ids,
                "limit": limit,
                "offset": offset,
                "ids": ids,
                "expand": expand,
                "fields": fields,
                "facets": facets,
                "facets_mode": facets_mode,
                "facets_sort_by": facets_sort_by,
            }
        )


class Funders(Collection[Funder]):
    """List funders"""

    _path = "funders-api"
    _columns = tuple(Funder.__annotations__)

    def list(
        self,
        *,
        search: Optional[str] = None,
        search_mode: Optional[Literal["keyword", "semantic", "hybrid"]] = None,
        similar_to: Optional[str] = None,
        updated_after: Optional[Union[str, date, datetime]] = None,
        updated_before: Optional[Union[str, date, datetime]] = None,
        first_seen_after: Optional[Union[str, date, datetime]] = None,
        first_seen_before: Optional[Union[str, date, datetime]] = None,
        explain: Optional[bool] = None,
        highlight: Optional[bool] = None,
        sort_by: Optional[Union[Literal["name", "created_at", "updated_at", "relevance", "-name", "-created_at", "-updated_at", "-relevance"], List[Literal["name", "-name", "created_at", "-created_at"]]]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        ids: Optional[Union[str, Sequence[str]]] = None,
        expand: Optional[Union[str, Sequence[Literal["details"]]]] = None,
        fields: Optional[Union[str, Sequence[Literal["id", "name", "summary", "website", "created_at", "ein", "source", "updated_at", "first_seen_at", "last_seen_at", "link_status", "link_checked_at"]]]] = None,
    ) -> "Listing[Funder]":
        """
        Makes a list, which asks the API when it is iterated or counted.

        Args:
            search: Words to look for in name and summary. `"two words"` is a phrase, `-word` excludes. An EIN finds
                the funder that has it.
            search_mode: `keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings.
                The last two need `search`. Default: "keyword".
            similar_to: Id of a grant, contract or funder. Finds the records that are most like it, by their words
                and meaning, without itself. `search` is a filter beside it: every word has to be there. By default,
                sorted by `relevance`.
            updated_after: The funder changed in this catalogue later than this; a day begins in UTC.
            updated_before: The funder changed in this catalogue last before this; a day begins in UTC.
            first_seen_after: The funder came to this catalogue later than this; a day begins in UTC.
            first_seen_before: The funder came to this catalogue before this; a day begins in UTC.
            explain: Say what was understood of the search, in `meta.understood`, and the parts of each result's
                score, in `explanation`. It takes about twice as long, and needs a ranked list. Not in CSV. Default:
                false.
            highlight: Add `highlights` to each result: by field, the best passage and what to mark in it. Needs
                `search`. Not in CSV. Default: false.
            sort_by: Of several (`name,-created_at`), those with `-` descend, and the others ascend. Ties are
                ordered by id. `updated_at` with `order=asc` is a feed that passes over no change. By default, a
                semantic or hybrid search is sorted by `relevance`, and so is a list with `similar_to`. `relevance`
                needs one of them or `search`. Several values are separated by commas. Default: "name".
            order: Direction of a `sort_by` of one, without `-`. By default, `relevance` lists the best first.
                Default: "asc".
            limit: Maximum number of records in the answer. Without it, CSV has all records that match, up to
                10,000. Default: 20.
            offset: Records to skip. Default: 0.
            ids: Ids of the records to answer with, in this order, whatever they are: awarded, archived. `missing`
                of the answer has those that no record has. In place of filters, searches, orders and pages. Not in a
                count. Several values are separated by commas.
            expand: `details` adds to each record what its source says beside the record's own fields: who may
                apply, agency, assistance listings, documents, the hour of the deadline.
            fields: Fields to answer with; `id` always comes, and so do scores, explanations and highlights. Those
                of details are in `details`, without `expand`. In CSV, the columns. Several values are separated by
                commas.
        """
        return self._listing(
            {
                "search": search,
                "search_mode": search_mode,
                "similar_to": similar_to,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "first_seen_after": first_seen_after,
                "first_seen_before": first_seen_before,
                "explain": explain,
                "highlight": highlight,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "ids": ids,
                "expand": expand,
                "fields": fields,
            }
        )
