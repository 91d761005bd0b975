/** In place of supabase-js' subscriptions in the Worker, which has none: see `alias` in wrangler.jsonc. */
export class RealtimeClient {
  /** supabase-js passes a new token on. */
  setAuth(): void {}
}
