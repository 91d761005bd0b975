import type { ProblemDocument } from "../../../shared/http/problems.ts";
import type { Session } from "../session/session.ts";
import { ApiProblem, Unreachable } from "./errors.ts";

/** Sends a request to the account API. @throws {ApiProblem | Unreachable} */
export type AccountRequest = <Answer>(
  path: string,
  options?: { method?: "GET" | "POST" | "PATCH" | "DELETE"; body?: unknown; signal?: AbortSignal },
) => Promise<Answer>;

/** @param baseUrl URL of the API, up to and including `/functions/v1`. */
export function createAccountRequest(baseUrl: string, session: Session): AccountRequest {
  return async <Answer>(path: string, { method = "GET", body, signal }: Parameters<AccountRequest>[1] = {}) => {
    const token = await session.accessToken().catch(() => {
      throw new Unreachable();
    });
    if (token === undefined) {
      await session.ended(undefined);
      throw new Unreachable();
    }
    const response = await fetch(`${baseUrl}/account-api${path}`, {
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
    const problem = new ApiProblem(answer);
    if (problem.kind === "not-signed-in") await session.ended(token);
    throw problem;
  };
}

function isProblem(answer: unknown): answer is ProblemDocument {
  return typeof answer === "object" && answer !== null && "type" in answer && "status" in answer && "detail" in answer;
}
