const units =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const word = `(?:${tens.join("|")})(?:[- ](?:${units.slice(0, 9).join("|")}))?|${units.toReversed().join("|")}`;

/** A number in digits, in words, or both: "20", "twenty", "twenty (20)". Its group is `number` or `spelled`. */
const count = String.raw`(?:(?<spelled>${word})(?: ?\((?<number>\d{1,3})\))?|(?<digits>\d{1,3})(?![\d,.]*\d|%))`;

function readCount({ spelled, number, digits }: Record<string, string | undefined>): number | undefined {
  const written = digits ?? number;
  const value = written === undefined ? undefined : Number(written);
  if (spelled === undefined) return value;
  const [first = "", second] = spelled.toLowerCase().split(/[- ]/);
  const ten = tens.indexOf(first);
  const inWords =
    ten === -1 ? units.indexOf(first) + 1 : (ten + 2) * 10 + (second === undefined ? 0 : units.indexOf(second) + 1);
  return value === undefined || value === inWords ? inWords : undefined;
}

/** Words before the number of a limit. */
const limit = `(?:${[
  "page limit(?:ation)?(?: for the project narrative)?(?: is|:| of)?",
  "(?:must|may|should|can|shall|will)(?: not|not) (?:exceed|be (?:longer|more) than)",
  "can be no (?:longer|more) than",
  "(?:is |are )?limited to",
  "no (?:more|longer) than",
  "(?:a )?maximum(?: length)?(?: is| of|:)?",
  "not (?:to )?exceed",
].join("|")})`;

const narrativeLimits = [
  new RegExp(
    String.raw`\bproject narrative(?<between>[^.;]{0,60}?)\b${limit} ?(?:a maximum of |up to )?${count}[ -](?:(?:double|single)-spaced )?pages?\b`,
    "i",
  ),
  new RegExp(
    String.raw`^(?:the )?page limit (?:for|of) (?:the |your )?project narrative(?<between>) ?(?:is|:) ?${count} pages?\b`,
    "i",
  ),
  new RegExp(String.raw`^page limit: ${count}(?: pages?)?: File name: [“"]?(?<between>)Project Narrative\b`, "i"),
  new RegExp(`^File name: [“"]?Project Narrative[”"]?: Page limit(?<between>): ${count}(?: pages?)?$`, "i"),
  new RegExp(`^project narrative(?: required format)?: page limit(?<between>): ${count}$`, "i"),
  new RegExp(
    String.raw`^project narrative(?<between>) \| (?:up to |maximum )?${count} pages?(?: maximum)?(?: \||$)`,
    "i",
  ),
];

/** Page limit of the project narrative. Undefined for limits of the whole application, or of the narrative with other parts. */
export function narrativePageLimit(statement: string): number | undefined {
  if (/^\W*(?:if|when|unless)\b|\bsection\b|\bpreferred\b|\brecommend/i.test(statement)) return undefined;
  for (const pattern of narrativeLimits) {
    const { groups } = pattern.exec(statement) ?? {};
    if (groups === undefined || otherPart.test(groups.between ?? "")) continue;
    return readCount(groups);
  }
  return undefined;
}

/** Words that make a limit another part's, or one of several parts. */
const otherPart = new RegExp(
  String.raw`\b(?:${[
    "and|or|plus|with|each|per|includes?|including",
    "attachments?|appendi\\w+|budget|abstract|summary|application|forms?|letters?|logic|timeline|workplan",
    "part|component|subsection|questions?|responses?|tables?|charts?|figures?|descriptions?",
  ].join("|")})\b|[,&]`,
  "i",
);

const about = "(?:approximately |about |an estimated )?";
const awardLabels = [
  "(?:expected|estimated|anticipated|projected|approximate) (?:total )?(?:number (?:and type )?of )?(?:new )?awards?",
  "(?:total )?number of (?:(?:expected|estimated|anticipated) )?awards?(?: expected| anticipated)?",
];
const awardLabel = new RegExp(`^(?:[•☐-] )?(?:${awardLabels.join("|")}) ?[:|–-]? ?${about}${count}(?<rest>.*)$`, "i");
const awardSentence = new RegExp(
  String.raw`\b(?:expects?|anticipates?|plans?|intends?) to (?:make|fund|award|issue) ${about}${count} (?:new )?(?:awards|award|grants?|cooperative agreements?)\b(?<rest>.*)$`,
  "i",
);

/** Number of awards that are expected. Undefined for a maximum ("up to 5"), a range, or the awards of one option or year. */
export function expectedAwards(statement: string): number | undefined {
  const { groups } = awardLabel.exec(statement) ?? awardSentence.exec(statement) ?? {};
  if (groups === undefined) return undefined;
  const rest = groups.rest ?? "";
  const isLabelEnd = /^(?:[.)]|\s*$|\s+(?:new|awards?|grants?|CAs?|cooperative|contracts?)\b)/i.test(rest);
  const isPart =
    /^\s*(?:-|–|to\b|or\b|through\b|per\b|each\b|million|thousand|percent)|\b(?:per|each|option|track|category|tier|annually|and|or|to)\b/i.test(
      rest,
    );
  return (awardSentence.test(statement) || isLabelEnd) && !isPart ? readCount(groups) : undefined;
}
