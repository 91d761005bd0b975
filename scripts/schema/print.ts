/** Prints the SQL that supabase/schemas declares, in its order, for psql. usage: node local/deno.mjs scripts/schema/print.ts */

import { readSchemaFiles } from "../../database/functions.ts";
import { joinFiles } from "../../database/functions-migration.ts";
import { print } from "../../local/print.ts";

print(joinFiles(await readSchemaFiles()).split("\n"));
