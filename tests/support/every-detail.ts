import type { details } from "../../shared/catalogue/details.ts";

/** Text with what one form or another could lose: quotes, line breaks, a formula, spaces, other scripts, what JSON escapes. */
export const hostile =
  `=1+1 "quoted", 'single'; a\\b\r\nsecond\tline  two spaces\u00a0né日本🌊 </script> {"a": 1} %41 +1 null `.trim();
/** A value of each detail. One that is declared and forgotten here does not compile. */
export const everyDetail = {
  opportunity_number: "=HYPERLINK(1)",
  notice_type: "Solicitation; amended",
  agency: ["Department of Agriculture", 'Food, and "Nutrition" Service'],
  applicant_types: ["government_county", "custom"],
  eligibility_text: hostile,
  assistance_listings: [
    { number: "10.557", title: "A title; with a semicolon" },
    { number: "10.1AB", title: null },
  ],
  funding_instrument: ["grant", "other"],
  cost_sharing: false,
  expected_awards: 0,
  total_funding: 123456789.25,
  place_of_performance: { city: 'Zürich, "Ohio"', state: "OH", zip: "01234", country: null },
  psc: "R499",
  recipient: {
    name: hostile,
    uei: "ABCDEFGHJ123",
    ein: "012345678",
    city: "Zürich",
    state: null,
    country: "CHE",
  },
  award_number: "-1+1",
  award_type: "PROJECT GRANT (B)",
  obligated_amount: 0.01,
  outlayed_amount: 1e9,
  project_start_date: "2020-02-29",
  contact: { name: hostile, email: "grants@a.example", phone: null },
  documents: [
    { name: null, url: "https://a.example/?a=1;b=2,3", type: null, size: null, updated_at: null },
    {
      name: hostile,
      url: "https://a.example/b%20c",
      type: "application/pdf",
      size: 0,
      updated_at: "2026-01-02T03:04:05.678Z",
    },
  ],
  deadline_at: "2031-07-01T17:00:00-04:00",
  deadline_assumed: false,
  deadline_note: hostile,
} satisfies { [Name in keyof typeof details]: unknown };
