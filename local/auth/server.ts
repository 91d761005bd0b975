import * as z from "zod";
import type { Connection } from "../../database/connection.ts";
import { readBearerToken } from "../../shared/auth/credential.ts";
import { safetyHeaders } from "../../shared/http/headers.ts";
import { problemStatus } from "../../shared/http/problems.ts";
import { readText } from "../../shared/validation/body.ts";
import { embeddedLog } from "../embedded/log.ts";
import { accessTokenSeconds, signAccessToken, verifyAccessToken } from "./access-token.ts";
import { redeemLink } from "./links.ts";
import { type AuthUser, endSessions, findUser, type OpenSession, openSession, refreshSession } from "./sessions.ts";
import type { SigningKey } from "./signing-key.ts";

/** Dependencies of the embedded sign-in. */
export interface AuthServerOptions {
  key: SigningKey;
  /** Its URL, up to and including `/auth/v1`. Tokens name it as their issuer, which verifiers check. */
  issuer: string;
  /** Runs work in a transaction. */
  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
}

/** A refusal with a status and code of Supabase Auth, which supabase-js understands. */
class AuthError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Headers of every response, preflights included. */
const headers = {
  ...safetyHeaders,
  "Cache-Control": "no-store",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": "authorization, apikey, content-type, x-client-info, x-supabase-api-version",
  "Access-Control-Max-Age": "86400",
};

/** Largest request body, in bytes. A refresh token or a link's token has about 50. */
const maximumBodyBytes = 8 * 1024;

/** The dashboard tells these apart by "used already" and "expired" (`dashboard/src/session/link-problem.ts`). */
const linkRefusals = {
  unknown: "This sign-in link is not valid.",
  used: "This sign-in link was used already. A link works once.",
  expired: "This sign-in link has expired.",
};
const newLink = "Get a new one with: npm run account -- link";

const verifyBody = z.looseObject({ token_hash: z.string().min(1), type: z.enum(["email", "magiclink"]) });
const refreshBody = z.looseObject({ refresh_token: z.string().min(1) });

/**
 * Serves the part of Supabase Auth's HTTP API that the dashboard uses through supabase-js: signing in with a link's token,
 * refreshing, signing out, the user, and the public keys. So the same page signs in here and on Supabase.
 *
 * @returns the response to a request for `/auth/v1/...`, or undefined for other paths.
 */
export function createAuthServer(options: AuthServerOptions): (request: Request) => Promise<Response | undefined> {
  return async (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith("/auth/v1/")) return undefined;
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers });
    try {
      const body = await answer(options, request, url);
      return body === undefined ? new Response(null, { status: 204, headers }) : respond(200, body);
    } catch (error) {
      if (error instanceof AuthError) return respond(error.status, { code: error.code, message: error.message });
      embeddedLog.write("error", { function: "auth", error: String(error) });
      return respond(500, { code: "unexpected_failure", message: "Something went wrong on our side." });
    }
  };
}

/** The response's body; undefined for none. */
async function answer(options: AuthServerOptions, request: Request, url: URL): Promise<object | undefined> {
  switch (`${request.method} ${url.pathname.slice("/auth/v1".length)}`) {
    case "POST /verify":
      return signIn(options, await readBody(request, verifyBody));
    case "POST /token":
      return refresh(options, url, await readBody(request, refreshBody));
    case "POST /logout":
      return signOut(options, request, url);
    case "GET /user":
      return renderUser((await authenticate(options, request)).user);
    case "POST /otp":
      throw new AuthError(
        422,
        "email_provider_disabled",
        "This server cannot send e-mail. Sign in with a link instead: npm run account -- link",
      );
    case "GET /.well-known/jwks.json":
      return options.key.publicKeys;
    default:
      throw new AuthError(404, "not_found", "The embedded sign-in has no such path.");
  }
}

async function signIn(options: AuthServerOptions, { token_hash }: z.infer<typeof verifyBody>): Promise<object> {
  const opened = await options.transaction(async (connection) => {
    const redeemed = await redeemLink(connection, token_hash);
    return "refusal" in redeemed ? redeemed : openSession(connection, redeemed.userId);
  });
  if ("refusal" in opened) throw new AuthError(403, "otp_expired", `${linkRefusals[opened.refusal]} ${newLink}`);
  return sessionBody(options, opened);
}

async function refresh(options: AuthServerOptions, url: URL, body: z.infer<typeof refreshBody>): Promise<object> {
  if (url.searchParams.get("grant_type") !== "refresh_token") {
    throw new AuthError(
      400,
      "validation_failed",
      "grant_type must be refresh_token; the embedded sign-in has no other.",
    );
  }
  const { refreshSecret } = options.key;
  const refreshed = await options.transaction((connection) =>
    refreshSession(connection, body.refresh_token, refreshSecret),
  );
  if (!("refusal" in refreshed)) return sessionBody(options, refreshed);
  throw refreshed.refusal === "used"
    ? new AuthError(
        400,
        "refresh_token_already_used",
        "The refresh token has already been used. Its session has ended: sign in again.",
      )
    : new AuthError(
        400,
        "refresh_token_not_found",
        "The refresh token is not valid, or its session has ended: sign in again.",
      );
}

async function signOut(options: AuthServerOptions, request: Request, url: URL): Promise<undefined> {
  const scope = z.enum(["local", "global", "others"]).safeParse(url.searchParams.get("scope") ?? "global");
  if (!scope.success) throw new AuthError(400, "validation_failed", "scope must be local, global or others.");
  const { sessionId } = await authenticate(options, request);
  await options.transaction((connection) => endSessions(connection, sessionId, scope.data));
}

/** Verifies a request's access token. Returns its session and user. */
async function authenticate(
  options: AuthServerOptions,
  request: Request,
): Promise<{ sessionId: string; user: AuthUser }> {
  const token = readBearerToken(request);
  if (token === undefined)
    throw new AuthError(401, "no_authorization", "Send the header Authorization: Bearer <TOKEN>.");
  const sessionId = await verifyAccessToken(token, options.key, options.issuer);
  if (sessionId === undefined) throw new AuthError(403, "bad_jwt", "The access token is not valid, or has expired.");
  const user = await options.transaction((connection) => findUser(connection, sessionId));
  if (user === undefined) throw new AuthError(403, "session_not_found", "The session has ended.");
  return { sessionId, user };
}

async function sessionBody(options: AuthServerOptions, { session, refreshToken }: OpenSession): Promise<object> {
  const user = await options.transaction((connection) => findUser(connection, session.id));
  if (user === undefined) throw new AuthError(403, "session_not_found", "The session has ended.");
  return {
    access_token: await signAccessToken(session, options.key, options.issuer),
    token_type: "bearer",
    expires_in: accessTokenSeconds,
    expires_at: Math.floor(Date.now() / 1000) + accessTokenSeconds,
    refresh_token: refreshToken,
    user: renderUser(user),
  };
}

function renderUser(user: AuthUser): object {
  return {
    ...user,
    aud: "authenticated",
    role: "authenticated",
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: {},
    identities: [],
    is_anonymous: false,
  };
}

/**
 * Reads a small JSON body. Other content types are refused: a page of another origin can send `text/plain` without a
 * preflight, but not `application/json`.
 */
async function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new AuthError(415, "bad_json", "The Content-Type must be application/json.");
  }
  const text = await readText(request, maximumBodyBytes);
  if (!text.ok) throw new AuthError(problemStatus(text.problem.name), "bad_json", text.problem.detail);
  const parsed = schema.safeParse(parseJson(text.value));
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join(".")).filter((name) => name !== "");
  throw new AuthError(
    400,
    "validation_failed",
    `The body must be JSON${names.length === 0 ? "" : ` with a valid ${names.join(" and ")}`}.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function respond(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "Content-Type": "application/json", "X-Supabase-Api-Version": "2024-01-01" },
  });
}
