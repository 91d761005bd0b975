import type pg from "pg";

/** A grant that a test writes. What is left out is open, listed, and of no category. */
export interface TestGrant {
  id: string;
  title: string;
  description?: string;
  status?: string;
  category?: string;
}

/** The source of every record that this suite writes. */
export const source = "full-size";

export async function insertGrant(session: pg.Client, grant: TestGrant): Promise<void> {
  await session.query(
    `insert into funding.grants
       (id, title, description, status, classification, categories, funder_id, created_at, source, source_id, content_hash)
     select $1::uuid, $2, $3, $4, 'opportunity', $5, funders.id, now(), $6, $1::text, ''
     from funding.funders limit 1`,
    [
      grant.id,
      grant.title,
      grant.description ?? "",
      grant.status ?? "open",
      grant.category === undefined ? [] : [grant.category],
      source,
    ],
  );
}

export async function deleteTestGrants(session: pg.Client): Promise<void> {
  await session.query("delete from funding.grants where source = $1", [source]);
}
