import type { Connection } from "../../database/connection.ts";
import type { RpcClient, RpcFailure } from "../../shared/database/rpc.ts";
import { setWallClock } from "../support/wall-clock.ts";

/**
 * Gives a database the simulation's clock, chance and ids: the server's time is the process's (which the tests fake), waits have a seed, and
 * ids come from a sequence.
 */
export async function simulate(connection: Connection, seed: number): Promise<void> {
  await connection.execute(`set simulation.clock = '${new Date().toISOString()}'`);
  await setWallClock(connection, "current_setting('simulation.clock')::timestamptz");
  await connection.execute(`
    create schema simulation;
    create sequence simulation.ids;
    alter table funding.events alter column id set default md5('${seed} ' || nextval('simulation.ids'))::uuid;
    alter table funding.grants alter column id set default md5('grant ${seed} ' || nextval('simulation.ids'))::uuid;
    alter table funding.funders alter column id set default md5('funder ${seed} ' || nextval('simulation.ids'))::uuid;
    alter table funding.events alter column created_at set default funding.wall_clock();
    update funding.dispatch_clock set wall = funding.wall_clock(), dispatch_time = funding.wall_clock(), bounded = funding.wall_clock();
    -- Time passes here in steps of up to a day.
    create or replace function funding.clock_step() returns interval language sql immutable as $$ select interval '1 year' $$;
    select setseed(${(seed % 1000) / 1000});
  `);
}

/** Sets the server's clock to the process's. */
export async function setClock(connection: Connection): Promise<void> {
  await connection.query("select set_config('simulation.clock', $1, false)", [new Date().toISOString()]);
}

/** The dispatcher's RPCs, of the database itself. */
export function rpcsOf(connection: Connection): RpcClient {
  return {
    async call(name, parameters) {
      const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
      const places = given.map(([parameter], index) => `${parameter} => $${index + 1}`).join(", ");
      const values = given.map(([, value]) =>
        typeof value === "object" && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value,
      );
      // `finish_deliveries` takes a list as JSON, the others as an array.
      if (name === "finish_deliveries") values[0] = JSON.stringify(values[0]);
      // The clock is set by the same statement, before the call: by one of its own, a year would take an eighth longer.
      const clock = `(select set_config('simulation.clock', $${values.length + 1}, false)) as clock`;
      try {
        const [row] = await connection.query<{ value: never }>(
          `select public.${name}(${places}) as value from ${clock}`,
          [...values, new Date().toISOString()],
        );
        return { ok: true, value: row?.value as never };
      } catch (error) {
        const { code = "", message, detail, hint } = error as Error & { code?: string; detail?: string; hint?: string };
        const failure: RpcFailure = { code, message, details: detail ?? null, hint: hint ?? null };
        return { ok: false, failure };
      }
    },
  };
}
