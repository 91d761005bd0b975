import type { Html } from "./html.ts";

/** A step of the way to a page; the path is after the site's base. */
export interface Crumb {
  name: string;
  path: string;
}

/** A page, without what all pages have. Paths are after the site's base. */
export interface PageContent {
  title: string;
  description?: string;
  /** Canonical path. Without it, or with `isHidden`, search engines leave the page out. */
  path?: string;
  isHidden?: boolean;
  /** The way to the page, without itself. */
  crumbs?: readonly Crumb[];
  /** What the page is about, for search engines: objects of schema.org. */
  data?: readonly object[];
  /** Path of the page's deadline as a calendar, or the like. */
  main: Html;
}

export type PageStatus = 200 | 400 | 404 | 405 | 410 | 429 | 500 | 503;

/** Answer to a visitor. */
export type PageAnswer =
  | { page: PageContent; status?: PageStatus; headers?: Record<string, string> }
  /** Path of the same page, after the site's base. */
  | { movedTo: string }
  | { text: string; contentType: string; maxAgeSeconds: number; headers?: Record<string, string> };
