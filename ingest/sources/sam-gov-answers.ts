import { isBlank, toLine } from "../fields/value.ts";
import type { RawRow } from "./source.ts";

/** Member that marks a row as a notice of the API: an answer is a page, never the full list. */
export const answerMember = "noticeId";

/** A notice of SAM.gov's API v2, in the columns of ContractOpportunitiesFullCSV. */
export function columnsOfAnswer(notice: RawRow): RawRow {
  const { award, pointOfContact, placeOfPerformance: place } = notice;
  const [primary = {}, secondary = {}] = contactsOf(pointOfContact);
  const codes = isBlank(notice.fullParentPathCode) ? [] : toLine(notice.fullParentPathCode).split(".");
  const awardee = member(member(award, "awardee"), "location");
  const columns: RawRow = {
    [answerMember]: notice.noticeId,
    NoticeId: notice.noticeId,
    Title: notice.title,
    "Sol#": notice.solicitationNumber,
    Agency: notice.fullParentPathName,
    "FPDS Code": codes[1] ?? codes[0],
    PostedDate: notice.postedDate,
    Type: notice.type,
    BaseType: notice.baseType,
    ArchiveDate: notice.archiveDate,
    SetASideCode: notice.typeOfSetAside,
    SetASide: notice.typeOfSetAsideDescription,
    ResponseDeadLine: notice.responseDeadLine,
    NaicsCode: notice.naicsCode ?? first(notice.naicsCodes),
    ClassificationCode: notice.classificationCode,
    Active: notice.active,
    AwardNumber: member(award, "number"),
    Award$: member(award, "amount"),
    Awardee: member(member(award, "awardee"), "name"),
    AwardeeUei: member(member(award, "awardee"), "ueiSAM"),
    AwardeeCity: nameOf(member(awardee, "city")),
    AwardeeState: codeOf(member(awardee, "state")),
    AwardeeCountry: codeOf(member(awardee, "country")),
    PrimaryContactFullname: primary.fullName,
    PrimaryContactEmail: primary.email,
    PrimaryContactPhone: primary.phone,
    SecondaryContactEmail: secondary.email,
    // The API gives the address of a description, which asks for a key.
    Description: isAddress(notice.description) ? undefined : notice.description,
    PopStreetAddress: member(place, "streetAddress"),
    PopCity: nameOf(member(place, "city")),
    PopState: codeOf(member(place, "state")),
    PopZip: member(place, "zip"),
    PopCountry: codeOf(member(place, "country")),
    Link: notice.uiLink,
    AdditionalInfoLink: notice.additionalInfoLink,
    "Attachment Links": list(notice.resourceLinks).join("\n"),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** The contacts, the primary one first. */
function contactsOf(value: unknown): RawRow[] {
  const contacts = list(value).filter((contact): contact is RawRow => typeof contact === "object" && contact !== null);
  return contacts.toSorted((one, other) => Number(other.type === "primary") - Number(one.type === "primary"));
}

/** City, state and country are objects with a code and a name, or texts. The code of a city is a number. */
function nameOf(value: unknown): unknown {
  return typeof value === "object" ? (member(value, "name") ?? member(value, "code")) : value;
}

function codeOf(value: unknown): unknown {
  return typeof value === "object" ? (member(value, "code") ?? member(value, "name")) : value;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? ((value as RawRow)[name] ?? undefined) : undefined;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function first(value: unknown): unknown {
  return list(value)[0];
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:\S+$/.test(value.trim());
}
