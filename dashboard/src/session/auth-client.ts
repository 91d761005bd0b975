import { type AuthChangeEvent, AuthClient, type GoTrueClient, type Session } from "@supabase/auth-js";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";
import { requestTimeoutMs } from "../api/timeout.ts";
import { browserStorage } from "../storage.ts";

/**
 * Opens a client of the sign-in service, which replaces access tokens before they run out.
 *
 * @param storageKey where the browser's storage keeps the session's tokens.
 * @param onEvent is told of each change of the session, in this tab or another.
 */
export function openAuthClient(
  config: DashboardConfig,
  storageKey: string,
  onEvent: (event: AuthChangeEvent, session: Session | null) => void,
): GoTrueClient {
  const opened = new AuthClient({
    url: `${config.supabase_url}/auth/v1`,
    headers: { apikey: config.supabase_key, Authorization: `Bearer ${config.supabase_key}` },
    storage: browserStorage,
    storageKey,
    persistSession: true,
    autoRefreshToken: true,
    // The link's token has already been taken out of the address: see sign-in-link.ts.
    detectSessionInUrl: false,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) }),
  });
  opened.onAuthStateChange(onEvent);
  return opened;
}
