import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPGlite } from "../../../database/pglite.ts";

let ours: PGlite;
let initialized: PGlite;

beforeAll(async () => {
  ours = await openPGlite();
  initialized = await PGlite.create();
});
afterAll(async () => {
  await ours.close();
  await initialized.close();
});

/** Choices of `initdb`, and objects of this version of PGlite: functions, views, settings. */
const contents = {
  // (The time zone of the log lines is that of the machine that made it: Etc/GMT0 for UTC.)
  settings: "select name, setting from pg_settings where name <> 'log_timezone' order by 1",
  relations: `select relnamespace::regnamespace::text, relname, relkind, relnatts, relacl::text from pg_class order by 1, 2`,
  functions: "select oid::regprocedure::text, prosrc, provolatile, proacl::text from pg_proc order by oid",
  views: "select schemaname, viewname, definition from pg_views order by 1, 2",
  types: "select oid, typname from pg_type where typnamespace = 'pg_catalog'::regnamespace order by 1",
  collations: "select collname, collprovider, collencoding, collcollate, colllocale from pg_collation order by 1, 3",
  roles: "select rolname, rolsuper, rolcanlogin, rolpassword from pg_authid order by 1",
  databases:
    "select datname, datcollate, datlocprovider, encoding, datallowconn, datacl::text from pg_database order by 1",
  dictionaries: "select dictname, dictinitoption from pg_ts_dict order by 1",
  version: "select catalog_version_no, pg_control_version from pg_control_system()",
};

test.each(Object.entries(contents))("a new database has the %s that initdb makes", async (_, query) => {
  const { rows } = await ours.query(query);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual((await initialized.query(query)).rows);
});
