import pg from "pg";

/** @throws unless the environment names the native stack's database. */
export function databaseUrl(): string {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL === undefined) throw new Error("DATABASE_URL must name the native stack's database");
  return DATABASE_URL;
}

/** A session of its own, whose transactions hold their locks beside the others'. The caller ends it. */
export async function newSession(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: databaseUrl() });
  await session.connect();
  return session;
}

/** Somebody signed in, as the RPCs of the account API are told of them. */
export interface SignedIn {
  user_id: string;
  session_id: string;
}

/** Makes a person who is signed in, with an account on tier `developer`. */
export async function newPerson(session: pg.Client): Promise<SignedIn> {
  const { rows } = await session.query<SignedIn>(
    `with person as (
       insert into auth.users (id, email, email_confirmed_at)
       values (gen_random_uuid(), gen_random_uuid() || '@signed-in.example', now()) returning id
     )
     insert into auth.sessions (id, user_id) select gen_random_uuid(), id from person
     returning user_id, id as session_id`,
  );
  const [person] = rows;
  if (person === undefined) throw new Error("nobody was made");
  await session.query("select public.get_account($1, $2)", [person.user_id, person.session_id]);
  await session.query(
    `insert into funding.subscriptions (account_id, tier)
     select id, 'developer' from funding.accounts where auth_user_id = $1`,
    [person.user_id],
  );
  return person;
}
