/**
 * Lets the server's clock say what an SQL expression gives: for a database of a test. All functions whose answer depends on what time it is read
 * `funding.wall_clock`, so that nothing else has to be replaced. The bounded clock follows by itself, or at once by `funding.confirm_clock()`.
 */
export async function setWallClock(
  connection: { execute(text: string): Promise<unknown> },
  expression: string,
): Promise<void> {
  await connection.execute(
    `create or replace function funding.wall_clock() returns timestamptz language sql volatile as $$ select ${expression} $$`,
  );
}
