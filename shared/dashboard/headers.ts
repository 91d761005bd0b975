/**
 * The headers of every page and file of the dashboard: scripts and styles come from its own files alone, it talks to
 * the API and the sign-in alone, and no other page may frame it.
 *
 * @param supabaseUrl where sign-in is, if that is another origin than the page's.
 */
export function dashboardHeaders(supabaseUrl?: string): Record<string, string> {
  const connect = ["'self'", ...(supabaseUrl === undefined ? [] : [new URL(supabaseUrl).origin])].join(" ");
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${connect}`,
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  };
}

/** How long a file of the dashboard may be kept: Vite puts a hash of the content in the names under `assets/`. */
export function dashboardCaching(path: string): string {
  return path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}
