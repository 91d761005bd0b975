import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEmail, parseUrl } from "../../../ingest/fields/address.ts";
import { parseAmount, parseAmountRange } from "../../../ingest/fields/amount.ts";
import { parseClassification } from "../../../ingest/fields/classification.ts";
import { parseNaics, parseSetAside, parseSourceId } from "../../../ingest/fields/code.ts";
import { parseIdentifiers, parseList } from "../../../ingest/fields/list.ts";
import { parsePlaceLine, resolvePlace } from "../../../ingest/fields/place.ts";
import { parseContractStatus, parseGrantStatus } from "../../../ingest/fields/status.ts";
import { isBlank, parseFlag, parseParagraphs, parseTitle, toLine, toText } from "../../../ingest/fields/value.ts";
import { runs } from "../../support/properties.ts";

describe("text", () => {
  test("is trimmed, without NULs and control characters, and well-formed", () => {
    expect(toText(" a\0b\x07\r\nc\td\ud800 ")).toBe("ab\nc\td\ufffd");
    expect(toLine(" two\n  lines ")).toBe("two lines");
    expect(toText(["a", null, "b"])).toBe("a; b");
    expect(() => toText({ a: 1 })).toThrow("is an object, not text");
  });

  test("has no characters that steer a terminal or turn the direction of text, written as HTML either", () => {
    const steering = "a\x1b[2Jb\u202ec\u2066d\u2069\u009be";
    const references = "<p>a&#27;[2Jb&#x202e;c&#8294;d&amp;#8297;e</p>";
    for (const text of [steering, references]) {
      for (const read of [parseTitle(text), parseParagraphs([text])]) expect(read).toMatch(/^a\[2Jbcd›?e$/);
    }
  });

  test("several columns become paragraphs, none the empty text", () => {
    expect(parseParagraphs(["one", "two"])).toBe("one\n\ntwo");
    expect(parseParagraphs([])).toBe("");
  });

  test("words that say nothing are blank, and words that only look like it are not", () => {
    for (const value of [
      null,
      undefined,
      "",
      "  ",
      "N/A",
      "none",
      "NULL",
      "nan",
      "-",
      ".",
      "Not Applicable",
      "\u200b",
      "N/A\ufeff",
      "—",
      "–",
      "– n/a –",
      "…",
      "•",
      "\u00a0",
      "\uf0b7",
      "\\N",
      "NaT",
      "NIL",
      "(blank)",
      '=""',
      [],
      [""],
    ]) {
      expect(isBlank(value), String(value)).toBe(true);
    }
    for (const value of [
      0,
      false,
      "0",
      "no",
      "N",
      "n",
      "Naïve",
      "日本",
      "é",
      "٣",
      "½",
      "✓",
      "£",
      "🟢",
      "Natal",
      "Not applicable to cities of over 50,000 people",
    ]) {
      expect(isBlank(value), String(value)).toBe(false);
    }
  });
});

describe("amounts", () => {
  test.each([
    ["$1,234.50", 1234.5],
    ["1234", 1234],
    [1234, 1234],
    ["3125629.0", 3_125_629],
    ["USD 5,000", 5_000],
    ["$1.5 million", 1_500_000],
    ["250K", 250_000],
    ["1.0E7", 10_000_000],
    ["$2.01 million", 2_010_000],
    ["2.01M", 2_010_000],
    [2009999.9999999998, 2_010_000],
    [1e308, 1e308],
    ["0", null],
    [0, null],
    ["$0.00", null],
    ["0.500", 0.5],
    ["1250.000", 1_250],
    ["1.500 million", 1_500_000],
    ["250.0000", 250],
    ["-5", -5],
    ["-$5", -5],
    ["($1,200)", -1_200],
  ])("%j is %j", (given, expected) => {
    expect(parseAmount(given)).toBe(expected);
  });

  test.each(["250.000", "$1.250", "-25.000", "1.250.000,00", "up to $500", "1,23", "12,3456", "$", "5 apples"])(
    "%j is not an amount",
    (given) => {
      expect(() => parseAmount(given)).toThrow("is not an amount");
    },
  );
});

describe("amounts of several", () => {
  const range = (value: unknown) => {
    const { min, max } = parseAmountRange(value);
    return [min, max];
  };

  test.each<[unknown, [number | null, number | null]]>([
    ["Up to $75,000", [null, 75_000]],
    ["up to 75000", [null, 75_000]],
    ["$75K max.", [null, 75_000]],
    ["Not to exceed $75,000 per award.", [null, 75_000]],
    ["Maximum: $75,000", [null, 75_000]],
    ["$2,500+", [2_500, null]],
    ["At least $2.5k", [2_500, null]],
    ["$2,500 or more", [2_500, null]],
    ["$2,500 - $75,000", [2_500, 75_000]],
    ["$2,500\u2013$75,000 each", [2_500, 75_000]],
    ["Between $2.5K and $2M", [2_500, 2_000_000]],
    ["from 2,500 to 75,000 USD", [2_500, 75_000]],
    ["$2-3 million", [2_000_000, 3_000_000]],
    ["10k-50k", [10_000, 50_000]],
    ["$500 - $5 million", [500, 5_000_000]],
    ["minimum $2,500, maximum $75,000", [2_500, 75_000]],
    ["$0 - $75,000", [null, 75_000]],
    ["~$75,000", [75_000, 75_000]],
    ["$75,000 (estimated)", [75_000, 75_000]],
    ["75 000", [75_000, 75_000]],
    ["US$1 234 567", [1_234_567, 1_234_567]],
    [75_000, [75_000, 75_000]],
    ["$0", [null, null]],
  ])("%j is %j", (given, expected) => {
    expect(range(given)).toEqual(expected);
  });

  test.each(["£5,000", "5.000 €", "CAD 5000", "C$5,000", "R$ 5,000", "5,000 pounds", "up to €5,000", "₹5,00,000"])(
    "%j is no dollars",
    (given) => {
      expect(() => parseAmountRange(given)).toThrow("is not in US dollars");
    },
  );

  test.each([
    ...["5,00,000", "5.000.000", "1.234,56", "12,34", "5,000,00", "250.000 - 500.000", "varies", "100 200"],
    ...["$5,000, $10,000", "$5,000 and $10,000", "$75,000 - $2,500", "$1 - $5 million", "5 awards of $2,000"],
  ])("%j could be several, and is none", (given) => {
    expect(() => parseAmountRange(given)).toThrow("is not an amount");
  });

  test.each(["$10,000 per year", "$10,000/yr", "$500 a month", "$10,000 annually"])(
    "%j does not tell what an award is in all",
    (given) => {
      expect(() => parseAmountRange(given)).toThrow("is an amount for a time");
    },
  );

  test("written in any way, are read as they were meant or refused, and never as others", () => {
    const cents = fc.integer({ min: 1, max: 5_000_000_00 }).map((number) => number / 100);
    const grouped = (number: number) => number.toLocaleString("en-US", { maximumFractionDigits: 2 });
    const written = fc.constantFrom<(number: number) => string>(
      (number) => `$${grouped(number)}`,
      (number) => String(number),
      (number) => `USD ${grouped(number)}`,
      (number) => `${grouped(number)} dollars`,
      (number) => `$ ${grouped(number)}`,
    );
    fc.assert(
      fc.property(cents, cents, written, fc.constantFrom(" - ", " to ", "–", " up to "), (one, other, write, to) => {
        const [min = 0, max = 0] = [one, other].sort((first, second) => first - second);
        const expected = { min, max };
        for (const [text, wanted] of [
          [`${write(min)}${to}${write(max)}`, expected],
          [`Up to ${write(max)}`, { min: null, max }],
          [`${write(min)}+`, { min, max: null }],
          [write(max), { min: max, max }],
        ] as const) {
          let read: unknown;
          try {
            read = parseAmountRange(text);
          } catch {
            // "250.125" could be 250,125.
            expect(text).toMatch(/\.\d{3}(?!\d)/);
            continue;
          }
          expect(read).toMatchObject(wanted);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("lists", () => {
  test("come from arrays, arrays as text, and text split at | and ;", () => {
    for (const value of [["Health", "Arts "], '["Health","Arts"]', "Health|Arts", "Health; Arts;", "Health ; | Arts"]) {
      expect(parseList([value])).toEqual(["Health", "Arts"]);
    }
  });

  test.each<[string, string[]]>([
    ["['Health', 'Arts']", ["Health", "Arts"]],
    [`["Women's Health", 'Law, Justice',]`, ["Women's Health", "Law, Justice"]],
    [String.raw`['St. Mary\'s', 'Caf\xe9', None, 10.5]`, ["St. Mary's", "Café", "10.5"]],
    // No list.
    ["['Health', 'Arts'", ["['Health', 'Arts'"]],
    ["['Health' 'Arts']", ["['Health' 'Arts']"]],
    ["['Health'] Arts", ["['Health'] Arts"]],
    ["[Draft] Arts", ["[Draft] Arts"]],
  ])("as Python prints them, %j, are %j", (value, items) => {
    expect(parseList([value])).toEqual(items);
  });

  test("of Python are read in a time that grows with their length", () => {
    expect(parseList([`['${"\\a".repeat(500_000)}`])).toHaveLength(1);
    expect(parseList([`[${"'a', ".repeat(200_000)}`])).toHaveLength(1);
  });

  test("name each item once, however it is cased, and keep commas", () => {
    expect(parseList(["Law, Justice|law, justice", ["N/A", "Arts"]])).toEqual(["Law, Justice", "Arts"]);
  });

  test("are not divided within an entity, and have no item without a visible character", () => {
    expect(parseList(["Arts &amp; Culture; Health", "R&amp;amp;D", "\u200b; &nbsp;"])).toEqual([
      "Arts & Culture",
      "Health",
      "R&D",
    ]);
    expect(parseIdentifiers(["AB&amp;12"])).toEqual(["AB&12"]);
  });

  test("of identifiers leave out the labels beside them", () => {
    expect(parseIdentifiers(["PD-26-369Y", "47.041|Engineering | 47.049|Sciences", 93.187])).toEqual([
      "PD-26-369Y",
      "47.041",
      "47.049",
      "93.187",
    ]);
  });
});

test("flags are read in their usual spellings", () => {
  expect(["TRUE", "yes", 1, "t"].map(parseFlag)).toEqual([true, true, true, true]);
  expect([false, "No", "0", "N"].map(parseFlag)).toEqual([false, false, false, false]);
  expect(() => parseFlag("maybe")).toThrow('"maybe" is not true or false');
});

describe("places", () => {
  test.each([
    [["OH", "Indiana"]],
    [["Ohio; Indiana"]],
    [["oh, in"]],
    [['["OH","IN"]']],
    [["['OH', 'IN']"]],
    [["Ohio and Indiana"]],
  ])("%j are two states", (...states) => {
    expect(resolvePlace({ states: states.flat(), geography: null, is_national: null })).toEqual({
      states: ["IN", "OH"],
      is_national: false,
      geography: "Indiana; Ohio",
    });
  });

  test("a geography that is a list in text has its items' states", () => {
    for (const text of ["['OH', 'IN']", '["OH", "IN"]']) {
      const geography = parsePlaceLine(text);
      expect(geography).toBe("OH; IN");
      expect(resolvePlace({ states: [], geography, is_national: null }).states).toEqual(["IN", "OH"]);
    }
  });

  test("states follow from the geography, which stays as it is written", () => {
    expect(resolvePlace({ states: [], geography: "Columbus, OH", is_national: null })).toEqual({
      states: ["OH"],
      is_national: false,
      geography: "Columbus, OH",
    });
    expect(resolvePlace({ states: [], geography: "Washington, DC", is_national: null }).states).toEqual(["DC"]);
  });

  test("national records name no state", () => {
    expect(resolvePlace({ states: [], geography: null, is_national: true })).toEqual({
      states: [],
      is_national: true,
      geography: "National",
    });
    expect(resolvePlace({ states: ["Nationwide"], geography: null, is_national: null })).toEqual({
      states: [],
      is_national: true,
      geography: "National",
    });
    expect(resolvePlace({ states: ["OH"], geography: null, is_national: true }).states).toEqual([]);
  });

  test("text that names no state is kept as the geography", () => {
    expect(resolvePlace({ states: ["Ontario"], geography: null, is_national: null })).toEqual({
      states: [],
      is_national: false,
      geography: "Ontario",
    });
    expect(resolvePlace({ states: [], geography: null, is_national: null })).toEqual({
      states: [],
      is_national: false,
      geography: null,
    });
  });
});

describe("statuses", () => {
  test("of grants become ours, and an unknown one is an error that says which are known", () => {
    const names = ["Posted", "Forecast", "FORECASTED", "Closed", "Active", "Inactive", "open", "Coming Soon"];
    expect(names.map((name) => parseGrantStatus(name).name)).toEqual([
      "posted",
      "forecasted",
      "forecasted",
      "closed",
      "posted",
      "closed",
      "open",
      "upcoming",
    ]);
    expect(parseGrantStatus("Archived")).toEqual({ name: "closed", isArchived: true });
    expect(parseGrantStatus("Accepting applications").name).toBe("open");
    expect(() => parseGrantStatus("Pending review")).toThrow('"Pending review" is not a known status');
    expect(() => parseGrantStatus("Open - Closed")).toThrow('"Open - Closed" is not a known status');
    expect(() => parseGrantStatus("constructor")).toThrow("is not a known status");
  });

  test.each<[string, string[]]>([
    ["posted", ["Published", "Live", "NOFO Released", "Addendum Posted", "Reopened", "Extended", "Y"]],
    ["open", ["Rolling", "Ongoing", "Closing Soon", "Open (Rolling)", "Open - Accepting Applications", "Now Open"]],
    ["open", ["Open until June 30, 2027", "Always open", "Closes 6/30/2027", "OPEN UNTIL FILLED", "Year-round"]],
    ["forecasted", ["Anticipated", "Forecasted - Estimated", "Notice of Intent"]],
    ["upcoming", ["Opening Soon", "Opens January 5", "Draft", "Pre-release", "Future", "Not yet open"]],
    ["closed", ["Under Review", "Closed - Under Review", "Withdrawn", "Awarded", "Funded", "Paused", "Suspended"]],
    ["closed", ["Past", "Deleted", "Closed on 5/1/2026", "No longer accepting applications"]],
  ])("of grants that mean %s: %j", (name, words) => {
    expect(words.map((word) => parseGrantStatus(word).name)).toEqual(words.map(() => name));
  });

  test.each(["Pending", "Annual", "Recurring", "Invitation only", "By invitation", "7", "See notice"])(
    "%j does not say whether people can apply, and is none",
    (word) => {
      expect(() => parseGrantStatus(word)).toThrow("is not a known status");
    },
  );

  test("of contracts become ours, and an unknown one is lower-cased", () => {
    const names = ["Active", "Inactive", "Canceled", "Yes", "Under Protest"];
    expect(names.map((name) => parseContractStatus(name).name)).toEqual([
      "open",
      "closed",
      "cancelled",
      "open",
      "under protest",
    ]);
    expect(parseContractStatus("ARCHIVED")).toEqual({ name: "closed", isArchived: true });
  });
});

test("award notices are awarded projects, and every other notice is an opportunity", () => {
  expect(["Award Notice", "awarded_project", "AWARDED"].map(parseClassification)).toEqual(
    Array(3).fill("awarded_project"),
  );
  expect(["Intent to Award", "Solicitation", "opportunity"].map(parseClassification)).toEqual(
    Array(3).fill("opportunity"),
  );
});

describe("addresses", () => {
  test.each([
    ["www.example.org", "https://www.example.org"],
    ["HTTPS://WWW.EXAMPLE.ORG/", "https://www.example.org/"],
    ["http://example.org/a b", "http://example.org/a%20b"],
    ["EXAMPLE.ORG/Grants", "https://example.org/Grants"],
    ["https://example.org?x=1", "https://example.org/?x=1"],
    ["https://example.org/?a=1&amp;b=2&amp;amp;c=3&copy=4", "https://example.org/?a=1&b=2&c=3&copy=4"],
    ["https://example.org/x; https://example.com/y", "https://example.org/x"],
    ["https://example.org/x,https://example.com/y", "https://example.org/x"],
    ["https://example.org/x https://example.com/y", "https://example.org/x"],
    ["www.example.org;", "https://www.example.org"],
    ["https://example.org/?to=https://example.com/;y", "https://example.org/?to=https://example.com/;y"],
  ])("%j is the web address %j", (given, expected) => {
    expect(parseUrl(given)).toBe(expected);
  });

  test.each([
    "javascript:alert(1)",
    "ftp://example.org",
    "someone@example.org",
    "77-6292 Highway",
    "https://user@example.org",
    "localhost",
    "see https://example.org",
  ])("%j is no web address", (given) => {
    expect(() => parseUrl(given)).toThrow("is not a web address");
  });

  test("e-mail addresses are lower-cased, and anything else is refused", () => {
    expect(parseEmail("mailto:Grants@Example.GOV")).toBe("grants@example.gov");
    expect(() => parseEmail("www.example.org/contact")).toThrow("is not an e-mail address");
  });
});

describe("codes", () => {
  test("NAICS codes have six digits", () => {
    expect(["541511", 541511, "541511.0", "541511 - Programming"].map(parseNaics)).toEqual(Array(4).fill("541511"));
    for (const wrong of ["5415", "5415111", "IT"])
      expect(() => parseNaics(wrong)).toThrow("is not a six-digit NAICS code");
  });

  test("set-asides become GSA's codes, and none is null", () => {
    expect(["HUBZone", "8(a) sole source", "sba"].map(parseSetAside)).toEqual(["HZC", "8AN", "SBA"]);
    expect(["No Set aside used", "NO SET ASIDE USED.", "No"].map(parseSetAside)).toEqual([null, null, null]);
    expect(parseSetAside("Tribal Set-Aside")).toBe("Tribal Set-Aside");
  });

  test.each([
    ["SMALL BUSINESS SET ASIDE - TOTAL", "SBA"],
    ["Small Business Set Aside - Partial", "SBP"],
    ["Total Small Business Set-Aside (FAR 19.5)", "SBA"],
    ["Partial Small Business Set-Aside (FAR 19.5)", "SBP"],
    ["8A COMPETED", "8A"],
    ["8(a) Set-Aside (FAR 19.8)", "8A"],
    ["8(A) SOLE SOURCE", "8AN"],
    ["8(a) Sole Source (FAR 19.8)", "8AN"],
    ["HUBZONE SET-ASIDE", "HZC"],
    ["Historically Underutilized Business (HUBZone) Set-Aside (FAR 19.13)", "HZC"],
    ["Historically Underutilized Business (HUBZone) Sole Source (FAR 19.13)", "HZS"],
    ["SERVICE DISABLED VETERAN OWNED SMALL BUSINESS SET-ASIDE", "SDVOSBC"],
    ["Service-Disabled Veteran-Owned Small Business (SDVOSB) Set-Aside (FAR 19.14)", "SDVOSBC"],
    ["SDVOSB SOLE SOURCE", "SDVOSBS"],
    ["Service-Disabled Veteran-Owned Small Business (SDVOSB) Sole Source (FAR 19.14)", "SDVOSBS"],
    ["WOMEN OWNED SMALL BUSINESS", "WOSB"],
    ["SBA Certified Women-Owned Small Business (WOSB) Program Set-Aside (FAR 19.15)", "WOSB"],
    ["Women-Owned Small Business (WOSB) Program Sole Source (FAR 19.15)", "WOSBSS"],
    ["Economically Disadvantaged WOSB (EDWOSB) Program Set-Aside (FAR 19.15)", "EDWOSB"],
    ["ECONOMICALLY DISADVANTAGED WOMEN OWNED SMALL BUSINESS SOLE SOURCE", "EDWOSBSS"],
    ["Local Area Set-Aside (FAR 26.2)", "LAS"],
    ["Indian Economic Enterprise (IEE) Set-Aside (specific to Department of Interior)", "IEE"],
    ["Indian Small Business Economic Enterprise (ISBEE) Set-Aside (specific to Department of Interior)", "ISBEE"],
    ["Buy Indian Set-Aside (specific to Department of Health and Human Services, Indian Health Services)", "BICIV"],
    ["Veteran-Owned Small Business Set-Aside (specific to Department of Veterans Affairs)", "VSA"],
    ["Veteran-Owned Small Business Sole source (specific to Department of Veterans Affairs)", "VSS"],
  ])("the set-aside %j is %j", (name, code) => {
    expect(parseSetAside(name)).toBe(code);
  });

  test("an identifier that JSON has rounded is refused", () => {
    expect(parseSourceId(12345)).toBe("12345");
    expect(() => parseSourceId(JSON.parse("202401289349102130"))).toThrow("write it as text");
  });

  test("an identifier that a spreadsheet has shortened is refused: another one looks the same", () => {
    for (const value of ["2.02401E+17", "2.02401e+17", "2E+17"]) {
      expect(() => parseSourceId(value), value).toThrow(`"${value}" is a number that a spreadsheet shortened`);
      expect(parseIdentifiers([value, "A-1"])).toEqual(["A-1"]);
    }
    const codes = ["12E4", "1E5", "2.5E7", "HR001126S0003", "70E+1-A"];
    expect(codes.map(parseSourceId)).toEqual(codes);
    expect(parseIdentifiers(codes)).toEqual(codes);
  });

  test("an identifier is freed of what a spreadsheet or a program added", () => {
    expect(['="0012345"', '= "1"', "363179.0", "0012.0"].map(parseSourceId)).toEqual([
      "0012345",
      "1",
      "363179",
      "0012",
    ]);
    const own = ["1.0.0", "10.500", "10.00", "v1.0", "PAR-24.0", "12.01"];
    expect(own.map(parseSourceId)).toEqual(own);
    expect(parseIdentifiers(['="0012345"', "363179.0", "363179"])).toEqual(["0012345", "363179"]);
    expect(toText('="Water & Air"')).toBe("Water & Air");
  });
});

describe("characters that were misread", () => {
  test.each([
    ["donâ€™t", "don’t"],
    ["â€œhiâ€\u009d", "“hi”"],
    ["â€œhiâ€ there", "“hi” there"],
    ["cafÃ© Â§ 5", "café § 5"],
    ["HaleakalÄ\u0081 Park", "Haleakalā Park"],
    ["donÃ¢â‚¬â„¢t", "don’t"],
    ["\u0093quoted\u0094 \u0096", "“quoted” –"],
    ["ðŸ˜€", "😀"],
    ["Title:Â Â CSP #2014Â ", "Title: CSP #2014"],
    ["Coeur dâ¿¿Alene", "Coeur d’Alene"],
    ["Species â¿¿ Recovery", "Species – Recovery"],
    ["Signsâ¿¿ Monitoring", "Signs Monitoring"],
    ["Nevadaâ¿\u009d", "Nevada”"],
    ["Alaska¿s Parks \ufffd NHGRI\ufffds", "Alaska’s Parks – NHGRI’s"],
  ])("%j is %j", (given, expected) => {
    expect(toLine(given)).toBe(expected);
  });

  test.each([
    "SÃO PAULO",
    "«CAFÉ»",
    "naïve",
    "Ångström",
    "Älter “Ä”",
    "château",
    "Æsop’s fables",
    "¿Qué es?",
    "日本 财团",
  ])("%j is as its author wrote it", (text) => {
    expect(toLine(text)).toBe(text);
  });
});

describe("HTML", () => {
  test.each([
    ["<p>One <b>two</b>, three</p><ul><li>a</li><li>b c</li></ul>four", "One two, three\n\n- a\n- b c\n\nfour"],
    ["<table><tr><td>x</td><td>y</td></tr><tr><td>z</td></tr></table>", "x y\nz"],
    ["one<br>two<br/><br />three", "one\ntwo\n\nthree"],
    ["<div><p><span style='x'>not <i>closed</p><p>b", "not closed\n\nb"],
    ["C&ocirc;te &ndash; R&amp;D&nbsp;lab", "Côte – R&D lab"],
    ["&lt;p&gt;escaped &amp;amp; twice&lt;/p&gt;", "escaped & twice"],
    ["line one\nline <b>two</b>\nend", "line one\nline two\nend"],
    ["<style>p { color: red }</style><script>alert(1)</script>text", "text"],
    ["<p><o:p></o:p>Word</p>", "Word"],
  ])("%j is read as %j", (given, expected) => {
    expect(parseParagraphs([given])).toBe(expected);
  });

  test.each(["a < b and c > d", "write to <ann@example.gov>", "AT&T, R&D &c; 5 <6", "i <3 you"])(
    "%j has none, and stays",
    (text) => {
      expect(parseParagraphs([text])).toBe(text);
    },
  );

  test.each([
    "Email subject must read: <Title of Project>. Quotes are due by 5 May 2026.",
    "Write to the <Head of Office> first, then wait.",
    "By the <style guide> of the agency; <script>, <IFRAME src=x> and so on",
    "Fellowship <Title TBD> for Artists",
  ])("%j has placeholders, and stays", (text) => {
    expect(parseParagraphs([text])).toBe(text);
    expect(parseTitle(text)).toBe(text);
  });

  test.each([
    ["RFQ &lt;TITLE&gt; and &lt;br&gt;more", "RFQ <TITLE> and\nmore"],
    ["<p>To <Title of Project></p><p>by <b>May</b></p>", "To <Title of Project>\n\nby May"],
    ["<title>hidden</title><p>shown</p><p><Title of Project></p>", "shown\n\n<Title of Project>"],
    ["<p>a</p><iframe src='https://example.org'/><p>b</p>", "a\n\nb"],
    ["<STYLE type='text/css'>p { color: red }</STYLE >text <script src=x></script>end", "text end"],
  ])("hides an element only up to its closing tag: %j is %j", (given, expected) => {
    expect(parseParagraphs([given])).toBe(expected);
  });

  test("is no part of a title", () => {
    expect(parseTitle("<b>Clean</b>\n Water &amp; Air")).toBe("Clean Water & Air");
  });

  test("takes time in proportion to its length", () => {
    const parts = "<p>many <b>words</b></p>".repeat(20_000);
    const started = performance.now();
    parseParagraphs([parts]);
    parseParagraphs([`<p>${"<title of / ".repeat(50_000)}</p>${"</title".repeat(50_000)}${"<style/".repeat(50_000)}`]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
