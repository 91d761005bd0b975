import type { ContractTopic } from "./topic.ts";

/** Language, audit, advice, training. */
export const expertiseTopics: readonly ContractTopic[] = [
  {
    key: "translation",
    naics: "541930",
    categories: ["Professional Services", "Communications"],
    value: [15_000, 2_000_000],
    delivery: "service",
    works: [
      "translation and interpretation services",
      "interpreting and translation in many languages",
      "language access services",
    ],
    needs: [
      "Many people who come for help speak Spanish, Vietnamese, Haitian Creole, or another language at home.",
      "Deaf and hard-of-hearing visitors must be able to take part in hearings and meetings.",
      "Forms and notices must be available in the languages that residents read.",
    ],
    tasks: [
      "interpret in person and by video",
      "answer interpreting calls within one minute",
      "translate forms and web pages",
      "provide qualified sign language interpreters",
      "have a second linguist review each translation",
      "keep a glossary of agency terms",
    ],
    requirements: [
      "Interpreters must be certified by a court or national body.",
      "Everything heard or read must be kept confidential.",
      "Machine translation without human review is not acceptable.",
    ],
  },
  {
    key: "auditing",
    naics: "541211",
    categories: ["Professional Services"],
    value: [30_000, 1_800_000],
    delivery: "remote",
    works: ["a financial statement audit", "accounting and audit services", "a grant compliance audit"],
    needs: [
      "The law calls for an independent audit each year.",
      "Recent growth in federal grants has raised the number of programs that must be tested.",
    ],
    tasks: [
      "audit the annual financial statements",
      "test internal controls",
      "review samples of payments and payroll",
      "report findings and recommendations",
      "brief the audit committee",
      "follow up on earlier findings",
    ],
    requirements: [
      "The firm must be licensed and have passed its latest peer review.",
      "The lead partner must change every five years.",
      "The work must follow government auditing standards.",
    ],
  },
  {
    key: "management-consulting",
    naics: "541611",
    categories: ["Professional Services"],
    value: [50_000, 5_000_000],
    delivery: "remote",
    works: [
      "strategic planning support",
      "program evaluation and management consulting",
      "process improvement services",
      "acquisition support services",
    ],
    needs: [
      "Leaders want an outside view of how the work is organized.",
      "A new law gives the agency duties that its current procedures do not cover.",
    ],
    tasks: [
      "interview staff and customers",
      "map and simplify procedures",
      "compare costs with similar agencies",
      "facilitate planning workshops",
      "draft a five-year plan",
      "measure results against a baseline",
    ],
    requirements: [
      "Consultants must disclose any conflict of interest.",
      "A draft report is due within 120 days.",
      "The project manager must have ten years of relevant experience.",
    ],
  },
  {
    key: "training",
    naics: "611430",
    categories: ["Education and Training", "Professional Services"],
    value: [15_000, 1_500_000],
    delivery: "service",
    works: [
      "leadership training",
      "safety and first aid training",
      "online course development",
      "de-escalation and crisis training",
    ],
    needs: [
      "About {count} employees must complete the course each year.",
      "Supervisors have asked for practical training rather than lectures.",
    ],
    tasks: [
      "write lesson plans and handouts",
      "teach courses in person and online",
      "test what participants have learned",
      "record attendance",
      "train a group of in-house instructors",
      "update materials each year",
    ],
    requirements: [
      "Instructors must have taught the subject for at least three years.",
      "Materials must be accessible to people with disabilities.",
      "The government may reuse all course materials.",
    ],
  },
];
