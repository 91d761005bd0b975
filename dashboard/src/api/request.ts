import type { ProblemDocument } from "../../../shared/http/problems.ts";
import type { Session } from "../session/session.ts";
import { ApiProblem, Unreachable } from "./errors.ts";

/** Sends a request to the account API. @throws {ApiProblem | Unreachable} */
export type AccountRequest = <Answer>(
  path: string,
  options?: { method?: "GET" | "POST" | "PATCH" | "DELETE"; body?: unknown; signal?: AbortSignal },
) => Promise<Answer>;

/**
 * A request whose token is refused because another tab has signed in meanwhile is sent once more, with that tab's token.
 *
 * @param baseUrl URL of the API, up to and including `/functions/v1`.
 */
export function createAccountRequest(
  baseUrl: string,
  session: Pick<Session, "accessToken" | "refused">,
): AccountRequest {
  return async <Answer>(path: string, options: Parameters<AccountRequest>[1] = {}) => {
    const stored = await session.accessToken().catch(() => {
      throw new Unreachable();
    });
    const token = stored ?? (await session.refused(undefined));
    if (token === undefined) throw new Unreachable();
    const url = `${baseUrl}/account-api${path}`;
    try {
      return await send<Answer>(url, token, options);
    } catch (error) {
      const current = isNotSignedIn(error) ? await session.refused(token) : undefined;
      if (current === undefined) throw error;
      return await send<Answer>(url, current, options).catch(async (again: unknown) => {
        if (isNotSignedIn(again)) await session.refused(current);
        throw again;
      });
    }
  };
}

const isNotSignedIn = (error: unknown) => error instanceof ApiProblem && error.kind === "not-signed-in";

async function send<Answer>(
  url: string,
  token: string,
  { method = "GET", body, signal }: NonNullable<Parameters<AccountRequest>[1]>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw error instanceof DOMException ? error : new Unreachable();
  });
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  if (!isProblem(answer)) throw new Unreachable();
  throw new ApiProblem(answer);
}

function isProblem(answer: unknown): answer is ProblemDocument {
  return typeof answer === "object" && answer !== null && "type" in answer && "status" in answer && "detail" in answer;
}
