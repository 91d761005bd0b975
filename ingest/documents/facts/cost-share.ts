const subject = `(?:cost[- ]shar(?:e|ing)(?:(?: or |/| and |, )(?:cost[- ])?match(?:ing)?)?|match(?:ing)?(?:(?: or |/| and )cost[- ]shar(?:e|ing))?)(?: funds?| contributions?| requirements?)?`;
const program = `(?:(?:for|by|in|under) (?:this|the) (?:program|opportunity|announcement|funding opportunity|notice|NOFO|grant|award|competition|application)s?)?`;

const no = [
  new RegExp(
    String.raw`^(?:[•☐-] )?(?:is )?${subject}(?: required| requirement)?\s?[:?|]\s?(?:no(?:ne| match\w*| cost[- ]shar\w*)?|not required|n/a)\.?$`,
    "i",
  ),
  new RegExp(String.raw`\bno ${subject}(?: requirement)?(?: is| are)? ?(?:required)? ?${program}\.?$`, "i"),
  new RegExp(String.raw`\b(?:has|have|there (?:is|are)) no ${subject}(?: requirements?)? ?${program}\.?$`, "i"),
  new RegExp(String.raw`\bdo(?:es)? not (?:require|have)(?: an?| any)? ${subject}(?: requirements?)?\.?$`, "i"),
  new RegExp(String.raw`^(?:[•☐-] )?${subject} (?:is|are) not (?:required|a requirement) ?${program}\.?$`, "i"),
];

const yes = [
  new RegExp(String.raw`^(?:[•☐-] )?(?:is )?${subject}(?: required| requirement)?\s?[:?|]\s?yes\b[^.]{0,40}\.?$`, "i"),
  new RegExp(String.raw`^(?:[•☐-] )?${subject} (?:is|are) required ?${program}\.?$`, "i"),
  new RegExp(
    String.raw`\bthis (?:program|opportunity|award|NOFO) (?:requires|has) (?:an? )?(?:${subject}(?: requirement)?)\.?$`,
    "i",
  ),
];

/** Words with which a statement holds for some applicants alone. */
const conditional =
  /\b(?:if|unless|except|waive[rd]?|some|certain|only|tribes?|territor(?:y|ies)|insular|voluntary|years? (?:one|two|three|\d))\b/i;

/** Whether cost sharing is required. Undefined where a statement does not say so, or not of all applicants. */
export function costShare(statement: string): boolean | undefined {
  if (costSharePercent(statement) !== undefined) return true;
  if (conditional.test(statement)) return undefined;
  if (no.some((pattern) => pattern.test(statement))) return false;
  return yes.some((pattern) => pattern.test(statement)) ? true : undefined;
}

const percent = String.raw`(?<percent>\d{1,2}(?:\.\d+)?)\s?(?:%|percent)`;
const total = `(?:of )?(?:the )?(?:project[’']s )?total (?:allowable |approved |estimated )?(?:project )?costs?`;
const shares = [
  new RegExp(
    String.raw`\b(?:must|are required to|is required to) (?:cover|provide|contribute|pay)(?: a match of| a minimum of)?(?: at least)? ${percent} ${total}[^.]{0,40}\bnon-?federal`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:requires|require)(?: an?)?(?: minimum)?(?: of)?(?: at least)? ${percent} (?:${subject}|non-?federal share) ${total}`,
    "i",
  ),
  new RegExp(String.raw`\b${subject} of(?: at least)? ${percent} ${total}[^.]{0,20}\b(?:is|are) required\b`, "i"),
];

/** Share of the project's total cost that applicants must bring, in percent. */
export function costSharePercent(statement: string): number | undefined {
  if (conditional.test(statement)) return undefined;
  const found = shares.map((pattern) => pattern.exec(statement)?.groups?.percent).find((text) => text !== undefined);
  return found === undefined ? undefined : Number(found);
}
