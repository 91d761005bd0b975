import type { ContractTopic } from "./topic.ts";

/** Film, surveys, print, and temporary staff. */
export const communicationTopics: readonly ContractTopic[] = [
  {
    key: "video",
    naics: "512110",
    categories: ["Communications"],
    value: [10_000, 700_000],
    delivery: "remote",
    works: ["video production", "public service announcement production", "training film production"],
    needs: [
      "The films will be shown online, in classrooms, and at visitor centers.",
      "Audiences have told us that printed brochures go unread.",
    ],
    tasks: [
      "write scripts and storyboards",
      "film interviews on location",
      "edit and color-grade footage",
      "add captions and audio description",
      "license music",
      "deliver files in several formats",
    ],
    requirements: [
      "Offerors must submit a reel of three similar films.",
      "All raw footage becomes government property.",
      "Everyone who appears on camera must sign a release.",
    ],
  },
  {
    key: "public-opinion",
    naics: "541910",
    categories: ["Research and Testing", "Professional Services"],
    value: [30_000, 2_500_000],
    delivery: "remote",
    works: ["a customer satisfaction survey", "household survey research", "visitor surveys and focus groups"],
    needs: [
      "The agency wants to know how well its services work for the people who use them.",
      "The last survey of this kind is more than five years old.",
    ],
    tasks: [
      "design the sample and questionnaire",
      "collect answers by mail and phone and web",
      "hold focus groups",
      "weight and analyze the data",
      "protect the privacy of respondents",
      "present results in plain language",
    ],
    requirements: [
      "The response rate must be documented.",
      "Questionnaires must be offered in English and Spanish.",
      "Data files are due with the final report.",
    ],
  },
  {
    key: "printing",
    naics: "323111",
    categories: ["Communications", "Administrative Services"],
    value: [5_000, 600_000],
    delivery: "supplies",
    works: ["printing and mailing of maps and notices", "printed guides and mailings", "color printing and mailing"],
    needs: ["Visitors still ask for a paper map.", "Notices must be mailed to every household in the district."],
    tasks: [
      "print in full color on recycled paper",
      "fold and bind copies",
      "send proofs within five days",
      "sort for bulk mail",
      "deliver to several addresses",
      "store extra copies",
    ],
    requirements: [
      "Paper must have at least 30 percent recycled content.",
      "Mailing lists must be destroyed after use.",
      "Samples of similar work must come with the bid.",
    ],
  },
  {
    key: "temporary-staff",
    naics: "561320",
    categories: ["Administrative Services"],
    value: [40_000, 3_000_000],
    delivery: "service",
    works: ["temporary staffing services", "administrative support staff", "call center staffing"],
    needs: [
      "Work peaks for several months a year, and permanent staff cannot cover it.",
      "Vacancies have left the front desk and mail room short of people.",
    ],
    tasks: [
      "supply clerks and receptionists",
      "replace absent workers within one day",
      "screen and train candidates",
      "process applications and data",
      "answer calls from the public",
      "manage payroll and time sheets",
    ],
    requirements: [
      "All candidates must pass a background check.",
      "Wages must meet the service contract wage determination.",
      "The contractor must provide a single point of contact.",
    ],
  },
];
