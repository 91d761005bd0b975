import { createHandler } from "../../shared/endpoint/handler.ts";
import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { type Answer, ConstantBody, respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { edgeLog } from "../../shared/platform/environment.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import document from "./openapi.json" with { type: "json" };
import type { Page } from "./pages.generated.ts";

const constant = new ConstantBody(document);

/** The pages of the documentation, which only their readers wait for. */
async function readPages(): Promise<readonly Page[]> {
  const { pages } = await import("./pages.generated.ts");
  return pages;
}

const markdown = (text: string): Answer => ({
  text,
  headers: { "Content-Type": "text/markdown; charset=utf-8" },
  hasEntityTag: true,
});

/** What there is to read, in the form of llmstxt.org: links are relative to the address of this text. */
async function index(): Promise<Answer> {
  const pages = (await readPages()).map(
    ({ name, title, summary }) => `- [${title}](docs/${name}.md)${summary === "" ? "" : `: ${summary}`}`,
  );
  const { title, summary } = document.info;
  const text = [
    `# ${title}`,
    "",
    `> ${summary} Answers are JSON over HTTPS; requests send \`Authorization: Bearer <API_KEY>\`.`,
    "",
    "## Docs",
    "",
    ...pages,
    "",
    "## Machine-readable",
    "",
    "- [OpenAPI 3.1 document](../openapi): every route, parameter, answer and error.",
    "- [MCP server](../mcp): the API as tools for language models, over streamable HTTP.",
    "",
  ];
  return markdown(text.join("\n"));
}

interface Route {
  method: "GET";
  path: "" | "/llms.txt" | "/docs/{page}";
  /** Undefined where there is no such page. */
  answer(parameters: Readonly<Record<string, string>>): Promise<Answer | undefined>;
}

const routes: readonly Route[] = [
  { method: "GET", path: "", answer: async () => ({ constant }) },
  { method: "GET", path: "/llms.txt", answer: index },
  {
    method: "GET",
    path: "/docs/{page}",
    async answer({ page: name }) {
      const page = (await readPages()).find((one) => `${one.name}.md` === name);
      return page && markdown(page.text);
    },
  },
];

async function respond(
  context: RequestContext,
  { route, parameters }: { route: Route; parameters: Readonly<Record<string, string>> },
): Promise<Response> {
  const query = readQuery(new URL(context.request.url).search, noParameters);
  if (!query.ok) return respondProblem(context, query.problem);
  const answer = await route.answer(parameters);
  if (answer !== undefined) return respondAnswer(context, answer);
  const detail = "There is no page of that name. The pages are listed at /openapi/llms.txt.";
  return respondProblem(context, { name: "not-found", detail });
}

/** `GET /openapi`, the API's description as `npm run openapi` wrote it, `/openapi/llms.txt` and `/openapi/docs/{page}`. They need no key and no call to the database. */
export const handle = createHandler("openapi", routes, respond);

export default { fetch: (request: Request) => handle(request, { log: edgeLog }) };
