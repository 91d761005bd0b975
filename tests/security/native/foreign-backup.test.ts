import { afterAll } from "vitest";
import { connectPostgres } from "../../../database/postgres.ts";
import { foreignBackupTests } from "../foreign-backups.ts";
import { databaseUrl } from "./sessions.ts";

const made: string[] = [];

foreignBackupTests(async () => {
  const name = `foreign_${crypto.randomUUID().replaceAll("-", "")}`;
  const server = await connectPostgres(databaseUrl());
  await server.execute(`create database ${name} template template0`);
  await server.close();
  made.push(name);
  const url = new URL(databaseUrl());
  url.pathname = `/${name}`;
  const connection = await connectPostgres(url.href);
  await connection.execute("create schema extensions");
  return connection;
});

afterAll(async () => {
  const server = await connectPostgres(databaseUrl());
  for (const name of made) await server.execute(`drop database if exists ${name} with (force)`);
  await server.close();
});
