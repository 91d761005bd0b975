const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** Abbreviations after which a sentence goes on: before a number, a name, or any word. */
const abbreviations = new Set(
  (
    "a.m p.m al approx apr art asst assn attn aug ave blvd ca cap capt ch cf cir co col comm corp dec dept dir div dr ed eds e.g eg eq est et etc ex exec ext " +
    "feb fed fig fl fri ft gen gov govt hon i.e ie inc jan jr jul jun lt ltd maj mar max min misc mon mr mrs ms mt n.b nat natl no nos nov oct op p par para " +
    "pg pgs ph.d pp pres prof pt pub reg rep res rev rm sat sec sen sep sept ser seq soc sr st stat subd subpt subsec supp tel thurs tit treas tues u.n u.s u.s.c v viz vol vs wed"
  ).split(" "),
);
/** Abbreviations that often end a sentence: a capital letter after them begins a new one. */
const mayEnd = new Set("al co corp dept etc ext inc jr ltd sr u.s u.s.c st ave blvd p.m a.m".split(" "));

/**
 * Splits a text into sentences, with the rules of Unicode (UAX 29) and a list of abbreviations: "42 U.S.C. 1396" and "No. 5" do not
 * end one. The sentences, joined by a space, are the text.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  // The mark of a note belongs to the sentence before it, as a closing quote does: "care.[1] It".
  const masked = text.replaceAll(/(?<=[.!?])\[[\divx, ]{1,12}\]/g, (mark) => "”".repeat(mark.length));
  for (const { segment, index } of segmenter.segment(masked)) {
    const next = text.slice(index, index + segment.length);
    const last = sentences.at(-1);
    if (last !== undefined && (!/\s$/.test(last) || isUnfinished(last.trim(), next)))
      sentences[sentences.length - 1] = last + next;
    else sentences.push(next);
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

function isUnfinished(sentence: string, next: string): boolean {
  if (/^[\p{Ll}),;:\]”’]/u.test(next)) return true;
  // The number of an item.
  if (/^\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]$/.test(sentence)) return true;
  const [, word = ""] = /([\p{L}.]+)\.$/u.exec(sentence) ?? [];
  if (word === "") return false;
  const abbreviation = word.toLowerCase().replace(/^\./, "");
  // Initials: "J. Smith", "D.C. 20201".
  if (/^\p{Lu}$/u.test(word)) return true;
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word) && /^[\d§(]/.test(next)) return true;
  if (!abbreviations.has(abbreviation)) return false;
  return !mayEnd.has(abbreviation) || !beginsSentence(next);
}

/** Whether a word after "U.S." begins a sentence: a word that a name would not begin with. */
function beginsSentence(next: string): boolean {
  return /^(?:The|This|These|Those|That|If|In|It|We|You|Your|Our|For|To|An?|All|Any|Each|See|When|Where|Applicants?|Applications?|However|Please|There|They|As|At|By|Do|No|Note|Only|Such|Submit|Use|Must|Funds?|Recipients?)\b/.test(
    next,
  );
}
