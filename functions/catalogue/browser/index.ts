/**
 * The script of all pages. `npm run build:catalogue` makes script.generated.ts of it, which the function sends. Without it every page works as its links
 * and forms do.
 */

import { keepResultsCurrent } from "./results.ts";
import { suggestPages } from "./suggestions.ts";

suggestPages();
keepResultsCurrent();
