import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { foreignBackupTests } from "../../security/foreign-backups.ts";

foreignBackupTests(async () => pgliteConnection(await openPGlite()));
