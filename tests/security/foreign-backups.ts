import { afterAll, beforeAll, expect, test } from "vitest";
import { BackupError } from "../../database/backup/format.ts";
import { checkBackup, readBackup } from "../../database/backup/read.ts";
import { restoreBackup } from "../../database/backup/restore.ts";
import { writeBackup } from "../../database/backup/write.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { createAuthTables } from "../../local/auth/tables.ts";

const silent = { step: () => undefined, table: () => undefined, leftOut: () => undefined };
const about = { version: "9.8.7", created_at: "2026-11-23T00:00:00Z", files: {} };

/**
 * Tests of backups that somebody else changed before an operator restored them.
 *
 * @param open opens an empty database, of which the suite takes two.
 */
export function foreignBackupTests(open: () => Promise<Connection>): void {
  let source: Connection;
  let target: Connection;
  let good: string;

  async function* once(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }

  const check = async (text: string) => checkBackup(await readBackup(once(text)));
  const restore = async (text: string, connection = target) =>
    restoreBackup(connection, await readBackup(once(text)), silent);

  /** The backup with lines before its end, whose counts of rows include theirs. */
  function withLines(lines: string, rows: Record<string, number> = {}): string {
    return good.replace(/^-- (\{"rows".*)$/m, (_line, end: string) => {
      const counts = (JSON.parse(end) as { rows: Record<string, number> }).rows;
      for (const [table, count] of Object.entries(rows)) counts[table] = (counts[table] ?? 0) + count;
      return `${lines}\n-- ${JSON.stringify({ rows: counts })}`;
    });
  }

  const withRow = (table: string, columns: string, row: string) =>
    withLines(`COPY ${table} (${columns}) FROM stdin;\n${row}\n\\.`, { [table]: 1 });

  /** What is outside the schema `funding`: users, roles, tables of other applications. */
  const others = (connection: Connection) =>
    queryOne(
      connection,
      `select (select json_agg(rolname order by rolname) from pg_roles where rolsuper) as superusers, (select count(*)::int from auth.sign_in_links) as links,
            (select count(*)::int from auth.sessions) as sessions, (select count(*)::int from auth.users) as users,
            (select json_agg(text) from shop.orders) as orders, (select last_value::int from shop.numbers) as number,
            to_regnamespace('funding') is not null as has_schema`,
    );

  beforeAll(async () => {
    source = await open();
    await createAuthTables(source);
    await migrate(source);
    await source.execute(`
    insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ann@example.org');
    insert into funding.accounts (email, auth_user_id) values ('ann@example.org', '00000000-0000-4000-8000-000000000001')`);
    const chunks: Uint8Array[] = [];
    const report = { table: () => undefined, leftOut: () => undefined };
    for await (const chunk of writeBackup(source, about, report)) chunks.push(chunk);
    good = Buffer.concat(chunks).toString();
    target = await open();
    await createAuthTables(target);
    await target.execute(
      `create schema shop; create table shop.orders (text text); insert into shop.orders values ('one');
     create sequence shop.numbers; select nextval('shop.numbers')`,
    );
  });

  afterAll(async () => {
    await source.close();
    await target.close();
  });

  test("rows of any table that is not the service's are refused before a database is asked", async () => {
    const tables = await target.query<{ name: string; column: string }>(`
    select format('%I.%I', nspname, relname) as name, quote_ident(attname) as column
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid and attnum = 1
    where relkind in ('r', 'v', 'm', 'p') and not (nspname = 'auth' and relname = 'users')`);
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["pg_catalog.pg_authid", "auth.sign_in_links", "shop.orders"]));
    for (const { name, column } of tables) {
      await expect(check(withRow(name, column, "1")), name).rejects.toThrow(`rows of ${name}, which is no table`);
    }
    for (const name of [
      '"auth".sign_in_links',
      'auth."sessions"',
      "pg_Catalog.pg_authid",
      '"funding.accounts".x',
      'auth."users "',
    ]) {
      await expect(check(withRow(name, "id", "1")), name).rejects.toThrow(BackupError);
    }
  });

  test("a sequence of somebody else is refused, and keeps its number", async () => {
    const before = await others(target);
    const text = withLines("SELECT pg_catalog.setval('shop.numbers', 900, true);");
    await expect(check(text)).rejects.toThrow("sets shop.numbers, which is no sequence");
    await expect(restore(text)).rejects.toThrow(BackupError);
    expect(await others(target)).toEqual(before);
  });

  test("a superuser, a link that signs in and an order in a file change nothing", async () => {
    const before = await others(target);
    for (const text of [
      withRow("pg_catalog.pg_authid", "oid, rolname, rolsuper", "99999\tmallory\tt"),
      withRow(
        "auth.sign_in_links",
        "token_hash, user_id, expires_at",
        "aa\t00000000-0000-4000-8000-000000000001\t2099-01-01",
      ),
      withRow("shop.orders", "text", "two"),
    ]) {
      await expect(restore(text)).rejects.toThrow(BackupError);
      expect(await others(target)).toEqual(before);
    }
  });

  test("tables of the schema that no backup has are refused: what upgrades trust, and caches", async () => {
    const before = await others(target);
    const unlogged = await source.query<{ name: string; column: string }>(`
    select format('funding.%I', relname) as name, quote_ident(attname) as column
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum = 1
    where relnamespace = 'funding'::regnamespace and (relkind <> 'i' and relkind <> 'I' and relkind <> 'S' and relkind <> 'c')
      and (relkind <> 'r' or relpersistence <> 'p' or relname = 'schema_objects')`);
    expect(unlogged.map(({ name }) => name)).toContain("funding.schema_objects");
    expect(unlogged.length).toBeGreaterThan(1);
    // Each restore makes the schema first: two are enough for the rule.
    for (const { name, column } of [
      unlogged.find(({ name }) => name.endsWith(".schema_objects")),
      unlogged.at(-1),
    ].flatMap((table) => table ?? [])) {
      await expect(restore(withRow(name, column, "1")), name).rejects.toThrow(
        `rows of ${name}, which no migration makes`,
      );
    }
    expect(await others(target)).toEqual(before);
  });

  test("rows that the last line does not count are refused", async () => {
    const uncounted = withLines("COPY funding.api_keys (id) FROM stdin;\n00000000-0000-4000-8000-000000000009\n\\.");
    await expect(check(uncounted)).rejects.toThrow(/rows of funding\.api_keys, and should have \d+/);
    const unnamed = good.replace(/"funding\.accounts":\d+,/, "");
    await expect(check(unnamed)).rejects.toThrow("rows of funding.accounts, and should have 0");
  });

  test("a row whose account is not there, and a value of another type, are refused", async () => {
    const before = await others(target);
    const nobody = "00000000-0000-4000-8000-0000000000ff";
    const orphan = withRow(
      "funding.invitations",
      "id, account_id, email, role",
      `${nobody}\t${nobody}\tx@example.org\towner`,
    );
    await expect(restore(orphan)).rejects.toThrow("a row of funding.invitations whose funding.accounts is not in it");
    await expect(restore(withRow("funding.accounts", "id", "one"))).rejects.toThrow(
      "a row of funding.accounts that the database refuses",
    );
    expect(await others(target)).toEqual(before);
  });

  test("a setting that its trigger would refuse is refused, also with a range of its own", async () => {
    const setting = /^request_log_days\t.*$/m;
    const [line = ""] = setting.exec(good) ?? [];
    const wrong = line.replace(/^(request_log_days)\t[^\t]*/, '$1\t"soon"');
    expect(wrong).not.toBe(line);
    await expect(restore(good.replace(line, () => wrong))).rejects.toThrow("The setting request_log_days");
    const unbounded = wrong.replace(/\{[^\t]*\}/, "{}");
    expect(unbounded).not.toBe(wrong);
    await expect(restore(good.replace(line, () => unbounded))).rejects.toThrow("the setting request_log_days");
    const weightless = good.replace(/^(fusion_(?:keyword|semantic)_weight)\t[^\t]*/gm, "$1\t0");
    expect(weightless).not.toBe(good);
    await expect(restore(weightless)).rejects.toThrow("cannot be 0 while the other weight");
  });

  test("a header whose fields have other types is refused", async () => {
    for (const [from, to] of [
      ['"files":{}', '"files":{"webhook-secrets-key":1}'],
      ['"files":{}', '"files":null'],
      ['"migrations":[', '"migrations":[null,'],
      ['"version":"9.8.7"', '"version":{}'],
    ] as const) {
      expect(good).toContain(from);
      await expect(check(good.replace(from, to)), to).rejects.toThrow(BackupError);
    }
  });

  test("the unchanged file goes into the same database, beside the tables of others", async () => {
    const before = (await others(target)) as object;
    await check(good);
    await restore(good);
    expect(await others(target)).toEqual({ ...before, users: 1, has_schema: true });
  });
}
