import { hasPartOfDate } from "./date-spellings.ts";
import { blankOut, findTimes } from "./time-spellings.ts";

/** Meaning of a field's date: its first day, its last day, or the last day on which people may act. */
export type DateRole = "posted" | "end" | "deadline";

/** Words of sources for a deadline that is not known yet, or never will be. */
const openEnded =
  /^(?:rolling|ongoing|open|continuous|tbd|tba|to be (?:determined|announced)|varies|various|unknown|until )/i;
const notKnown = /^(?:tbd|tba|to be (?:determined|announced)|varies|various|unknown)/i;

/** Whether a text says that there is no such date, or that it is not known. It may have a date all the same. */
export function isOpenEnded(text: string, role: DateRole): boolean {
  return (role === "posted" ? notKnown : openEnded).test(text);
}

/** Open-ended words of a text that may name the day on which it ends all the same. "TBD" is followed by an estimate at most. */
const openWord = "(?:rolling|ongoing|open|continuous)";

/**
 * Words before the day on which an opportunity ends: "Open until", "Ongoing through", "Open; closes", "Ongoing; next deadline",
 * "Rolling -". Behind "Open" alone, a day may be the first. A "priority deadline" and "first review by" are not the end.
 */
const untilWords = [
  String.raw`^(?:${openWord}\b\D*\W)?(?:until|till|through|thru|to|clos(?:es?|ing)(?: date)?|not? later than)\b(?: on\b)?\W*`,
  String.raw`^${openWord}\b\D*\W(?:(?:apply|submit|submitted|received|due) by|(?:applications|proposals) due(?: by)?)\b\W*`,
  String.raw`^${openWord}\b\D*(?:[;:,.(\u2013\u2014-] ?|next |final |current |application |submission )deadline\b(?: is\b)?(?: on\b)?\W*`,
  String.raw`^(?:rolling|ongoing|continuous)\W+`,
].map((pattern) => new RegExp(pattern, "i"));

/** Text after the words for an end, such as "Open until"; the whole text where there are none. */
export function endOf(text: string): string {
  const words = untilWords.find((pattern) => pattern.test(text));
  return words === undefined ? text : text.replace(words, "");
}

const weekday = /\b(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:r|rs)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?/gi;

/** Phrases before a date, whose words alone may say another thing. */
const phrases =
  /\bnot? later than\b|\bon or before\b|\b(?:open|accept(?:ed|ing)?|available)(?: (?:now|online|applications|proposals)){0,2} (?:until|till|through|thru|to|by|on or before)\b|\bbefore\b(?=\s{3})|\b(?:fy|fiscal year) ?['\u2019]?(?:\d{4}|\d{2})\b/gi;

const words = (text: string) => text.split(" ");
const anyRole = words(
  "a about an and approx approximately anticipated are as at by circa date dates day est estimated expected for in is it local of on our planned projected scheduled tentative tentatively the this time will your",
);
/** Words that stand before a date without making it another than the field's. */
const labels: Readonly<Record<DateRole, ReadonlySet<string>>> = {
  posted: new Set([
    ...anyRole,
    ...words(
      "added announced announcement approved award awarded created first from grant issue issued listed made open opened opening opens posted posting publication publish published release released signed since start started starts updated",
    ),
  ]),
  end: new Set([
    ...anyRole,
    ...words(
      "archive archived archives award close closed closes completed completion end ended ending ends expected expiration expires expiry final finish finishes grant last performance period project through thru to until",
    ),
  ]),
  deadline: new Set([
    ...anyRole,
    ...words(
      "all application applications apply be bid bids close closed closes closing cob complete completed current deadline deadlines due electronic electronically end ending ends eod expiration expires expiry extended final full funding grant grants last midnight must next offer offers online opportunity please postmarked postmark program proposal proposals quotation quotations quote quotes receipt receive received request requests respond response responses submission submissions submit submittal submittals submitted through thru till to until",
    ),
  ]),
};

/** Whether the words before a date leave it the field's: "Applications due by 5 PM on", and not "Opens" or "First review". */
export function isLabel(text: string, role: DateRole): boolean {
  const rest = blankOut(text, findTimes(text)).replaceAll(phrases, " ").replaceAll(weekday, " ").toLowerCase();
  const known = labels[role];
  return !/\d/.test(rest) && (rest.match(/\p{L}+/gu) ?? []).every((word) => known.has(word));
}

/** Words behind a date that make it one of several, another than the last day, or none that is certain. */
const doubts = new RegExp(
  [
    String.raw`^\W*(?:to|until|till|onwards?|forward|plus)\b`,
    String.raw`\bor (?:when|until|once|if|as|earlier|later|sooner)\b|\bwhichever\b`,
    String.raw`\b(?:each|every|annual(?:ly)?|yearly|quarterly|monthly|thereafter)\b`,
    String.raw`\b(?:letters?|loi|intent|pre-?(?:application|proposal)s?|concept|webinar)\b`,
    String.raw`\b(?:opens?|opening|starts?|begins?|posted|published)\b`,
    String.raw`\b(?:phase|round|cycle|priority|reviews?|rolling|ongoing|continuous)\b`,
  ].join("|"),
  "i",
);

/** Whether what stands behind a date leaves it the only one. */
export function isExplanation(text: string): boolean {
  const rest = blankOut(text, findTimes(text));
  return !hasPartOfDate(rest) && !doubts.test(rest);
}

const zoneWords = /\b(?:eastern|central|mountain|pacific|alaska|hawaii)(?: (?:standard|daylight))? time\b/gi;

/** Whether a text has words or numbers besides those that stand before a deadline anyway. */
export function saysMore(text: string): boolean {
  const rest = text.replaceAll(phrases, " ").replaceAll(weekday, " ").replaceAll(zoneWords, " ").toLowerCase();
  return (rest.match(/[\p{L}\d]+/gu) ?? []).some(
    (word) =>
      !labels.deadline.has(word) ||
      /^(?:local|time|cob|eod|est|estimated|tentative|anticipated|expected|extended|midnight|postmarked)$/.test(word),
  );
}
