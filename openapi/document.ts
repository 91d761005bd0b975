import { problemNames, problemStatus, problemTitle, problemType } from "../shared/http/problems.ts";
import { contract, funder, grant } from "../shared/responses/records.ts";
import { funderList } from "../shared/validation/funders.ts";
import { contractList, grantList } from "../shared/validation/opportunities.ts";
import { accountPaths, accountSchemas } from "./account.ts";
import { awardsPath } from "./awards.ts";
import { collectionPaths } from "./collection.ts";
import { commonGrantsFailures, commonGrantsPaths } from "./common-grants.ts";
import { documentsPath } from "./documents.ts";
import { contractExample, funderExample, grantExample, listExample } from "./examples.ts";
import { funderStatisticsPath } from "./funder-statistics.ts";
import { headers } from "./headers.ts";
import { namedSchemas } from "./json-schema.ts";
import { keylessPaths } from "./keyless.ts";
import { multiSearchPath, multiSearchSchemas } from "./multi-search.ts";
import { sharedParameters } from "./parameters.ts";
import { failureResponses } from "./problems.ts";
import { savedSearchPaths } from "./saved-searches.ts";
import { semanticSearchPath, semanticSearchSchemas } from "./semantic-search.ts";
import { snapshotPaths } from "./snapshots.ts";
import { suggestPath } from "./suggest.ts";
import { webhooks } from "./webhooks.ts";

const description = `US grants, government contracts and funders, searched by keyword, by meaning, or both at once.

Send \`Authorization: Bearer <API_KEY>\` with every request. \`HEAD\` works wherever \`GET\` does, and any origin may
call the API from a browser. An unknown path is answered 404 and a wrong method 405, whatever the key.
A parameter that is unknown, given twice, empty or wrong is answered 400; the answer says what was expected.

Failures are problem documents (RFC 9457). Their types:

| type | status | |
|---|---|---|
${problemNames.map((name) => `| \`${problemType(name)}\` | ${problemStatus(name)} | ${problemTitle(name)} |`).join("\n")}
`;

const paths = {
  ...collectionPaths({
    record: "Grant",
    parameters: grantList.schema,
    schema: grant,
    examples: { list: listExample(grantExample), single: grantExample },
    listHeaders: ["Deprecation"],
    summaries: { list: "List grants", single: "Get a grant" },
  }),
  ...awardsPath,
  ...collectionPaths({
    record: "Contract",
    parameters: contractList.schema,
    schema: contract,
    examples: { list: listExample(contractExample), single: contractExample },
    listHeaders: ["Deprecation"],
    summaries: { list: "List contracts", single: "Get a contract" },
  }),
  ...collectionPaths({
    record: "Funder",
    parameters: funderList.schema,
    schema: funder,
    examples: { list: listExample(funderExample, { sort_by: "name", order: "asc" }), single: funderExample },
    summaries: { list: "List funders", single: "Get a funder" },
  }),
  ...funderStatisticsPath,
  ...semanticSearchPath,
  ...multiSearchPath,
  ...suggestPath,
  ...documentsPath,
  ...commonGrantsPaths,
  ...snapshotPaths,
  ...savedSearchPaths,
  ...accountPaths,
  ...keylessPaths,
};

/**
 * Version of the API, which its contract names. It changes with the contract alone; the software has releases of its own (`shared/release.ts`).
 */
const apiVersion = "1.1.0";

/** OpenAPI 3.1 document of the API, made of the schemas that validate requests and answers. */
export const openApiDocument = {
  openapi: "3.1.1",
  info: {
    title: "Funding Opportunities Data API",
    version: apiVersion,
    summary: "US grants, contracts and funders behind one API.",
    description,
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/functions/v1", description: "The server that served this description." }],
  security: [{ apiKey: [] }],
  tags: [
    { name: "Grants", description: "Grant opportunities and awarded projects." },
    { name: "Contracts", description: "Government contract opportunities and awards." },
    { name: "Funders", description: "Organizations that fund them." },
    {
      name: "Search",
      description:
        "Search by meaning across grants and contracts, several searches at once, and what completes a search.",
    },
    { name: "Documents", description: "Texts of the documents that grants and contracts have." },
    { name: "CommonGrants", description: "Grants as opportunities of the CommonGrants protocol." },
    { name: "Snapshots", description: "The whole catalogue as files." },
    { name: "Saved searches", description: "Feeds and calendars of searches that an account has saved." },
    { name: "Account", description: "An account's keys and usage, for users who signed in to the dashboard." },
    { name: "Webhooks", description: "Events that are sent to subscribers' addresses." },
    { name: "Description", description: "This description." },
    { name: "Health", description: "State of the service, for load balancers and monitoring." },
  ],
  paths,
  webhooks,
  components: {
    securitySchemes: {
      apiKey: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "fo_live_ and 38 letters and digits",
        description: "An API key from the developer dashboard.",
      },
      apiKeyHeader: {
        type: "apiKey",
        in: "header",
        name: "X-API-Key",
        description: "The same key in another header, which the routes of CommonGrants accept as well.",
      },
      signIn: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "The access token of a user who signed in to the dashboard. Only the account API accepts it.",
      },
    },
    parameters: sharedParameters,
    headers,
    responses: { ...failureResponses(), ...commonGrantsFailures() },
    schemas: {
      ...namedSchemas(),
      ...semanticSearchSchemas,
      ...multiSearchSchemas,
      ...accountSchemas,
    },
  },
};
