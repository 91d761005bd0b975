/**
 * Returns the headers of every page and file of the dashboard. They allow scripts and styles from its own files alone,
 * connections to the API and the sign-in alone, and no framing by other pages.
 *
 * @param supabaseUrl address of the sign-in, where it is another origin than the page's.
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

/** Returns the `Cache-Control` of a file. Vite puts a hash of the content into the names under `assets/`. */
export function dashboardCaching(path: string): string {
  return path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}
