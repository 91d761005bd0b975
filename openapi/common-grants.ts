import type * as z from "zod";
import { toAward } from "../functions/common-grants/award.ts";
import type { DetailedGrant } from "../functions/common-grants/custom-fields.ts";
import { commonErrorFormat } from "../functions/common-grants/error-format.ts";
import { toOpportunity } from "../functions/common-grants/opportunity.ts";
import { type DetailedFunder, toOrganization } from "../functions/common-grants/organization.ts";
import {
  commonError,
  commonOpportunity,
  customField,
  event,
  foundPage,
  money,
  opportunityAnswer,
  opportunityPage,
  paginationInfo,
  protocolVersion,
  sortInfo,
} from "../shared/responses/common-grants.ts";
import { awardAnswer, awardPage, commonAward } from "../shared/responses/common-grants-awards.ts";
import {
  commonOrganization,
  organizationAnswer,
  organizationPage,
} from "../shared/responses/common-grants-organizations.ts";
import {
  awardFilters,
  awardSearch,
  listPages,
  opportunityFilters,
  opportunitySearch,
  organizationPages,
  profileParameters,
} from "../shared/validation/common-grants.ts";
import { detailsExample, funderDetailsExample, funderExample, grantExample } from "./examples.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo, requestSchema } from "./json-schema.ts";
import { parameter, queryParameters } from "./parameters.ts";
import { exampleOf, failureOf, ofEveryKey } from "./problems.ts";

const found = foundPage(commonOpportunity, opportunityFilters);
const foundAwards = foundPage(commonAward, awardFilters);
const schemas: Record<string, z.ZodType> = {
  CommonGrantsMoney: money,
  CommonGrantsEvent: event,
  CommonGrantsCustomField: customField,
  CommonGrantsOpportunity: commonOpportunity,
  CommonGrantsPagination: paginationInfo,
  CommonGrantsSorting: sortInfo,
  CommonGrantsOpportunityAnswer: opportunityAnswer,
  CommonGrantsOpportunityPage: opportunityPage,
  CommonGrantsSearchAnswer: found,
  CommonGrantsAward: commonAward,
  CommonGrantsAwardAnswer: awardAnswer,
  CommonGrantsAwardPage: awardPage,
  CommonGrantsAwardSearchAnswer: foundAwards,
  CommonGrantsOrganization: commonOrganization,
  CommonGrantsOrganizationAnswer: organizationAnswer,
  CommonGrantsOrganizationPage: organizationPage,
  CommonGrantsError: commonError,
};
for (const [id, schema] of Object.entries(schemas)) name(id, schema);

// Without a time of day: the protocol's have no zone, and linters hold `format: time` to RFC 3339, whose times have one.
const details = { ...detailsExample, deadline_at: null };
const opportunity = toOpportunity({ ...grantExample, details } satisfies DetailedGrant);
const award = await toAward(
  {
    ...grantExample,
    title: "Summer meals in Ohio",
    status: "closed",
    deadline_date: null,
    project_end_date: "2028-06-30",
    details: {
      ...details,
      source: "usaspending",
      opportunity_number: null,
      award_number: "26OH3550",
      award_type: "Cooperative agreement",
      obligated_amount: 48_500,
      outlayed_amount: 12_000,
      project_start_date: "2027-07-01",
      recipient: {
        name: "Example Food Bank",
        uei: "EXAMPLE12345",
        ein: null,
        city: "Toledo",
        state: "OH",
        country: "USA",
      },
    },
  } satisfies DetailedGrant,
  "2027-07-01",
);
const success = { status: 200, message: "Success" };
const page = {
  ...success,
  items: [opportunity],
  paginationInfo: { page: 1, pageSize: 100, totalItems: 1, totalPages: 1 },
};

const organization = toOrganization({ ...funderExample, details: funderDetailsExample } satisfies DetailedFunder);

const awards = { ...page, items: [award] };

const ofEvery = ["Forbidden", ...ofEveryKey] as const;
const ofSome = ["InvalidParameters", "InvalidRequest", "NotFound", "BodyTooLarge", "UnsupportedMediaType"] as const;

type CommonFailure = (typeof ofEvery | typeof ofSome)[number];

/** References to failures in the protocol's words, by status. */
function failures(...names: CommonFailure[]) {
  return Object.fromEntries(
    names.map((failure) => [failureOf(failure).status, { $ref: `#/components/responses/CommonGrants${failure}` }]),
  );
}

/** Makes the responses that they lead to, by name. */
export function commonGrantsFailures() {
  return Object.fromEntries(
    [...ofSome, ...ofEvery].map((failure) => {
      const { description, problems, headers = [] } = failureOf(failure);
      const examples = problems.map((problem) => [problem, commonErrorFormat.body(exampleOf(problem), "", "")]);
      return [
        `CommonGrants${failure}`,
        {
          description,
          headers: responseHeaders(...headers),
          content: jsonContent(referenceTo(commonError), Object.fromEntries(examples)),
        },
      ];
    }),
  );
}

/** The key in either header: clients of the protocol send `X-API-Key`. */
const security = [{ apiKey: [] }, { apiKeyHeader: [] }];

const description = `Of the CommonGrants protocol, version ${protocolVersion}. Opportunities are grants that are current: nothing awarded, nothing archived.`;

const ofOrganizations = `Of the CommonGrants protocol, version ${protocolVersion}. Organizations are funders.`;

const ofAwards = `Of the CommonGrants protocol, version ${protocolVersion}. Awards are awarded projects of the grants that are not archived.`;

/**
 * Paths of the CommonGrants protocol. They have the parameters of its document and no others, so `X-Request-Id` and
 * `If-None-Match`, which work as everywhere, are not listed.
 */
export const commonGrantsPaths = {
  "/common-grants/opportunities": {
    get: {
      operationId: "listOpportunities",
      tags: ["CommonGrants"],
      security,
      summary: "List opportunities",
      description: `${description} What was modified last comes first.`,
      parameters: queryParameters(listPages.schema),
      responses: {
        200: {
          description: "A page of opportunities. A page after the last is empty.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(opportunityPage), { page }),
        },
        ...failures("InvalidParameters", ...ofEvery),
      },
    },
  },
  "/common-grants/opportunities/search": {
    post: {
      operationId: "searchOpportunities",
      tags: ["CommonGrants"],
      security,
      summary: "Search opportunities",
      description: `${description} Filters that cannot be applied are named in \`filterInfo.errors\`.`,
      parameters: [],
      requestBody: {
        required: true,
        content: jsonContent(
          // In place, with the defaults that the protocol's document has: `bodySchema` says what they do in a named schema.
          {
            title: "CommonGrantsSearch",
            ...requestSchema(opportunitySearch.schema),
            description: "A search of opportunities.",
          },
          {
            open: {
              search: "summer meals",
              filters: { status: { operator: "in", value: ["open"] } },
              sorting: { sortBy: "keyDates.closeDate", sortOrder: "asc" },
              pagination: { page: 1, pageSize: 10 },
            },
          },
        ),
      },
      responses: {
        200: {
          description: "A page of opportunities. A page after the last is empty.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(found), {
            found: {
              ...page,
              sortInfo: { sortBy: "keyDates.closeDate", sortOrder: "asc" },
              filterInfo: { filters: { status: { operator: "in", value: ["open"] } } },
            },
          }),
        },
        ...failures("InvalidRequest", "BodyTooLarge", "UnsupportedMediaType", ...ofEvery),
      },
    },
  },
  "/common-grants/opportunities/{oppId}": {
    get: {
      operationId: "getOpportunity",
      tags: ["CommonGrants"],
      security,
      summary: "View an opportunity",
      description: `Of the CommonGrants protocol, version ${protocolVersion}. An awarded project has the status \`custom\`.`,
      parameters: [parameter("OpportunityId")],
      responses: {
        200: {
          description: "The opportunity.",
          headers: responseHeaders("ETag"),
          content: jsonContent(referenceTo(opportunityAnswer), { opportunity: { ...success, data: opportunity } }),
        },
        304: { description: "The client has the current opportunity.", headers: responseHeaders("ETag") },
        ...failures("InvalidParameters", "NotFound", ...ofEvery),
      },
    },
  },
  "/common-grants/awards": {
    get: {
      operationId: "listCommonAwards",
      tags: ["CommonGrants"],
      security,
      summary: "List awards",
      description: `${ofAwards} What was modified last comes first.`,
      parameters: queryParameters(listPages.schema),
      responses: {
        200: {
          description: "A page of awards. A page after the last is empty.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(awardPage), { page: awards }),
        },
        ...failures("InvalidParameters", ...ofEvery),
      },
    },
  },
  "/common-grants/awards/search": {
    post: {
      operationId: "searchCommonAwards",
      tags: ["CommonGrants"],
      security,
      summary: "Search awards",
      description: `${ofAwards} Filters that cannot be applied are named in \`filterInfo.errors\`.`,
      parameters: [],
      requestBody: {
        required: true,
        content: jsonContent(
          {
            title: "CommonGrantsAwardSearch",
            ...requestSchema(awardSearch.schema),
            description: "A search of awards.",
          },
          {
            running: {
              search: "summer meals",
              filters: { status: { operator: "in", value: ["awarded"] } },
              sorting: { sortBy: "funding.awardedAmount", sortOrder: "desc" },
              pagination: { page: 1, pageSize: 10 },
            },
          },
        ),
      },
      responses: {
        200: {
          description: "A page of awards. A page after the last is empty.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(foundAwards), {
            found: {
              ...awards,
              sortInfo: { sortBy: "funding.awardedAmount", sortOrder: "desc" },
              filterInfo: { filters: { status: { operator: "in", value: ["awarded"] } } },
            },
          }),
        },
        ...failures("InvalidRequest", "BodyTooLarge", "UnsupportedMediaType", ...ofEvery),
      },
    },
  },
  "/common-grants/awards/{awdId}": {
    get: {
      operationId: "getCommonAward",
      tags: ["CommonGrants"],
      security,
      summary: "View an award",
      description: `Of the CommonGrants protocol, version ${protocolVersion}. An opportunity is not found here.`,
      parameters: [parameter("AwardId")],
      responses: {
        200: {
          description: "The award.",
          headers: responseHeaders("ETag"),
          content: jsonContent(referenceTo(awardAnswer), { award: { ...success, data: award } }),
        },
        304: { description: "The client has the current award.", headers: responseHeaders("ETag") },
        ...failures("InvalidParameters", "NotFound", ...ofEvery),
      },
    },
  },
  "/common-grants/orgs": {
    get: {
      operationId: "listCommonOrganizations",
      tags: ["CommonGrants"],
      security,
      summary: "List organizations",
      description: `${ofOrganizations} They are sorted by name.`,
      parameters: queryParameters(organizationPages.schema),
      responses: {
        200: {
          description: "A page of organizations. A page after the last is empty.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(organizationPage), { page: { ...page, items: [organization] } }),
        },
        ...failures("InvalidParameters", ...ofEvery),
      },
    },
  },
  "/common-grants/orgs/{orgId}": {
    get: {
      operationId: "getCommonOrganization",
      tags: ["CommonGrants"],
      security,
      summary: "View an organization",
      description: `${ofOrganizations} With \`at\`, one is as it was then, and not found before it came into this catalogue.`,
      parameters: [parameter("OrganizationId"), ...queryParameters(profileParameters.schema)],
      responses: {
        200: {
          description: "The organization.",
          headers: responseHeaders("ETag"),
          content: jsonContent(referenceTo(organizationAnswer), { organization: { ...success, data: organization } }),
        },
        304: { description: "The client has the current organization.", headers: responseHeaders("ETag") },
        ...failures("InvalidParameters", "NotFound", ...ofEvery),
      },
    },
  },
};
