// @ts-check
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { dataFolderPath } from "./caller-path.mjs";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));

/** Program of `npm start`. */
export const serverProgram = join(root, "local/start.ts");

/** Environment variables that the server may read. All others are hidden from it. */
const serverVariables = [
  "DATA_DIR",
  "OPEN_FILES_MAXIMUM",
  "PORT",
  "LOG_LEVEL",
  "LOG_FORMAT",
  "WEBHOOKS_ALLOW_LOOPBACK",
  "DISPATCH",
  "DISPATCH_SECRET",
  "METRICS_SECRET",
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_API_URL",
  "OPENAI_*",
  "MAIL_*",
  "PUBLIC_API_URL",
  "DASHBOARD_URL",
  "CATALOGUE",
  "CATALOGUE_URL",
  "STATUS_URL",
  "CLIENT_ADDRESS_HEADER",
  "NODE_EXTRA_CA_CERTS",
  // IPC channel to the parent process.
  "NODE_CHANNEL_FD",
  "NODE_CHANNEL_SERIALIZATION_MODE",
];

/** Forbids `eval` and `new Function`: code from the database could otherwise run in the server's process. */
const noEvaluation = "--v8-flags=--disallow-code-generation-from-strings";

/** Path of the Deno binary that npm installed for this platform, or undefined if there is none. */
export function denoBinary() {
  const scope = join(root, "node_modules/@deno");
  const binaries = existsSync(scope)
    ? readdirSync(scope).flatMap((name) => [join(scope, name, "deno"), join(scope, name, "deno.exe")])
    : [];
  return binaries.find((path) => existsSync(path));
}

/**
 * Deno's arguments to run a program of this project.
 *
 * @param {readonly string[]} words the program and its own arguments.
 * @param {string} dataFolder folder of the embedded database.
 * @returns {string[]}
 */
export function denoArguments(words, dataFolder = dataFolderPath()) {
  return [
    "run",
    "--quiet",
    "--no-lock",
    "--no-remote",
    "--no-prompt",
    ...permissionsOf(words[0] ?? "", dataFolder),
    ...words,
  ];
}

/**
 * Deno's permissions of a program. The caller of a command may name any file and address. Deno opens devices, such as a shell's `<(...)`,
 * only under --allow-all without any denial.
 *
 * @param {string} program
 * @param {string} dataFolder
 * @returns {string[]}
 */
function permissionsOf(program, dataFolder) {
  if (resolve(program) === serverProgram) return serverPermissions(dataFolder);
  if (!isCommand(program)) return ["--allow-all"];
  return isBriefCommand(program) ? ["--allow-all", withoutOptimizing] : ["--allow-all", noEvaluation];
}

/**
 * Permissions of the server: no more than it needs. A client of its Postgres port is a superuser, and the database runs in
 * the server's own process, so the database can do whatever the process may do.
 *
 * @param {string} dataFolder
 * @returns {string[]}
 */
export function serverPermissions(dataFolder) {
  const data = [...new Set([dataFolder, realPath(dataFolder)])];
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  return [
    `--allow-read=${pathList([root, ...data, ...(authorities ? [resolve(authorities)] : [])])}`,
    `--allow-write=${pathList(data)}`,
    // Webhook endpoints and embedding models can be at any address. Deno has one permission for listening and connecting.
    "--allow-net",
    "--deny-net=0.0.0.0,[::]",
    `--allow-env=${serverVariables.join(",")}`,
    "--ignore-env",
    "--deny-run",
    "--deny-ffi",
    // The certificate authorities of the system, for https, and the room on the disk.
    "--allow-sys=ca,statfs",
    "--deny-import",
    noEvaluation,
  ];
}

/**
 * V8 flags for commands that do little with the database: Postgres' WebAssembly is not optimized, which would take as long as all else.
 * `npm run tier -- list` on a data folder takes 1.3 s of processor time in place of 2.0.
 */
const withoutOptimizing = `${noEvaluation},--liftoff-only`;

/**
 * Whether the program is a command that opens a database. Benchmarks and the contract suite are not: they start other programs.
 *
 * @param {string} program
 */
function isCommand(program) {
  return /^cli[\\/](account|backup|calibrate|clock|embed|import|key|lexicon|links|migrate|record|restore|seed|snapshot|tier)\.ts$/.test(
    relative(root, resolve(program)),
  );
}

/**
 * Whether the program is a command that reads or writes a few rows.
 *
 * @param {string} program
 */
function isBriefCommand(program) {
  return /^cli[\\/](account|clock|key|record|tier)\.ts$/.test(relative(root, resolve(program)));
}

/**
 * List of paths in Deno's syntax, where a comma in a path is doubled.
 *
 * @param {readonly string[]} paths
 */
function pathList(paths) {
  return paths.map((path) => path.replaceAll(",", ",,")).join(",");
}

/**
 * Resolves symbolic links, also in a path whose last parts do not exist yet.
 *
 * @param {string} path
 * @returns {string}
 */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}

/**
 * Limit of open files of a process, which its children inherit. Undefined where the system does not tell it.
 *
 * @returns {string | undefined}
 */
export function openFilesMaximum() {
  try {
    return /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
