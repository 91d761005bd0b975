import { problemForFailure } from "../../shared/endpoint/database-failures.ts";
import { matchRoute, type RoutePattern } from "../../shared/endpoint/handler.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { RequestContext } from "../../shared/endpoint/request-context.ts";
import { respondProblem } from "../../shared/endpoint/respond.ts";
import { VisitorLimit } from "../../shared/overload/visitor-limit.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { PageAnswer } from "./answer.ts";
import { deadlineCalendar } from "./calendar.ts";
import { entrances, recordAddresses, robots, sitemaps } from "./crawlers.ts";
import { statePage, topicPage } from "./entrances.ts";
import { readFile } from "./files.ts";
import { funderPage } from "./funder-page.ts";
import { listPage } from "./list-page.ts";
import { failed, notFound, tooMany, wrongMethod } from "./notices.ts";
import { opportunityPage } from "./opportunity-page.ts";
import { respond, respondMethods } from "./respond.ts";
import { functionPath, isCatalogueOn, type Site, siteOf } from "./site.ts";
import { suggestPages } from "./suggest.ts";
import { type CatalogueRuntime, createVisit, noteVisitor, ReadFailure, type Visit } from "./visit.ts";

interface Route extends RoutePattern {
  /** Part of a page that a request counts as, in the limit of visitors. 0 where it asks the database nothing. */
  cost: number;
  answer(visit: Visit, segment: string): Promise<PageAnswer> | PageAnswer;
}

const get = (path: string, answer: Route["answer"], cost = 1): Route => ({ method: "GET", path, answer, cost });
const free = (path: string, answer: Route["answer"]): Route => get(path, answer, 0);

const routes: readonly Route[] = [
  free("", () => ({ movedTo: "/funding" })),
  get("/funding", listPage),
  // A tenth: who types a search asks ten times.
  get("/funding/suggest", suggestPages, 0.1),
  free("/funding/{file}", ({ site }, file) => readFile(file, site)),
  get("/grants/{record}", (visit, record) => opportunityPage(visit, "grants", record)),
  get("/grants/{record}/deadline.ics", (visit, record) => deadlineCalendar(visit, "grants", record)),
  get("/contracts/{record}", (visit, record) => opportunityPage(visit, "contracts", record)),
  get("/contracts/{record}/deadline.ics", (visit, record) => deadlineCalendar(visit, "contracts", record)),
  get("/funders/{record}", funderPage),
  get("/topics/{topic}", topicPage),
  get("/states/{state}", statePage),
  free("/robots.txt", ({ site }) => robots(site)),
  get("/sitemap.xml", sitemaps),
  get("/sitemaps/entrances.xml", entrances),
  get("/sitemaps/{file}", recordAddresses),
];

const off = "There is nothing at this path: this server has no public catalogue.";

/** Answers a request whose path begins with the function's name, for pages below `base`. */
async function answer(request: Request, runtime: CatalogueRuntime, base: string): Promise<Response> {
  const context = new RequestContext(request, "catalogue", runtime.log);
  const response = isCatalogueOn(runtime.variable)
    ? await respondTo(context, runtime, siteOf(request, base, runtime.variable))
    : respondProblem(context, { name: "unknown-route", detail: off });
  context.end(response.status);
  return response;
}

async function respondTo(context: RequestContext, runtime: CatalogueRuntime, site: Site): Promise<Response> {
  const { request } = context;
  const match = matchRoute("catalogue", routes, request);
  if ("methods" in match) return respondMethods(context, match.methods);
  if ("problem" in match) {
    const { name, headers } = match.problem;
    context.problem = name;
    return respond(
      context,
      name === "unknown-route" ? notFound(site) : wrongMethod(headers?.Allow ?? "GET, HEAD", site),
      site,
    );
  }
  context.route = `/catalogue${match.route.path}`;
  const { cost } = match.route;
  const wait = cost === 0 ? 0 : runtime.visitors.take(runtime.clientAddress, cost);
  if (wait > 0) return respond(context, tooMany(wait, site), site);
  try {
    const page = await match.route.answer(
      createVisit(context, runtime, site),
      Object.values(match.parameters)[0] ?? "",
    );
    if (cost > 0) noteVisitor(runtime);
    return await respond(context, page, site);
  } catch (error) {
    context.error = error instanceof ReadFailure ? error.message : String(error);
    return respond(context, failed(error instanceof ReadFailure ? retryAfter(error) : undefined, site), site);
  }
}

/** When the same request may be answered; undefined where nobody knows. */
function retryAfter({ failure }: ReadFailure): string | undefined {
  const { name, headers } = problemForFailure(failure, new Date()).problem;
  return name === "unavailable" ? headers?.["Retry-After"] : undefined;
}

/** The public catalogue: pages for people who look for funding, without a key. `CATALOGUE=on` turns it on; without it, 404. */
export const handle = (request: Request, runtime: CatalogueRuntime) => answer(request, runtime, functionPath);

/** The same pages at the root of a site: `/funding`. For requests of which `isCataloguePage` is true. */
export function handleAtRoot(request: Request, runtime: CatalogueRuntime): Promise<Response> {
  const url = new URL(request.url);
  url.pathname = `/catalogue${url.pathname}`;
  return answer(new Request(url, { method: request.method, headers: request.headers }), runtime, "");
}

export default {
  fetch: onEdge(handle, (deployment) => ({ ...createReadState(deployment), visitors: new VisitorLimit() })),
};
