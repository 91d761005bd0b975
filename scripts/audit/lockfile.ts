/** A package of a lockfile, by its path in `node_modules`. */
export interface LockedPackage {
  /** Name of the package, if the path has another. */
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}

export interface Lockfile {
  packages: Readonly<Record<string, LockedPackage>>;
}

/** Parts of a package.json that the audit reads. */
export interface Manifest {
  dependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
  /** Whether packages may run their install scripts, by name. */
  allowScripts?: Readonly<Record<string, boolean>>;
}

export interface MaliciousVersions {
  as_of: string;
  incidents: readonly { source: string; versions: Readonly<Record<string, readonly string[]>> }[];
}

/** Report of the offline checks of a lockfile. */
export interface LockfileReport {
  packages: number;
  /** Number of packages that are not only for development. */
  deployed: number;
  /** Names of packages with an install script. */
  scripted: string[];
  /** Faults, as sentences. */
  faults: string[];
}

/** Checks a lockfile offline. */
export function checkLockfile(lock: Lockfile, manifest: Manifest, malicious: MaliciousVersions): LockfileReport {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(nameOf);
  return {
    packages: packages.length,
    deployed: packages.filter(([, { dev, devOptional }]) => !dev && !devOptional).length,
    scripted,
    faults: [
      ...packages.flatMap(findSourceFaults),
      ...findPinningFaults(lock, manifest),
      ...scripted
        .filter((name) => manifest.allowScripts?.[name] !== false)
        .map((name) => `${name} has an install script, and allowScripts does not forbid it`),
      ...packages.flatMap((entry) => findMaliciousVersions(entry, malicious)),
    ],
  };
}

type Entry = [path: string, locked: LockedPackage];

/** Finds packages that do not come from the configured registry, or have no checksum. */
function findSourceFaults([path, { integrity = "", resolved, link }]: Entry): string[] {
  if (link === true) return [`${path} is a link, and not from a registry`];
  return [
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ? [] : [`${path} has no SHA-512 checksum`]),
    ...(resolved === undefined ? [] : [`${path} names an address: ${resolved}`]),
  ];
}

function findPinningFaults({ packages }: Lockfile, { dependencies, devDependencies }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) => {
    if (!/^\d+\.\d+\.\d+$/.test(version)) return [`${name} is not pinned to one version, but ${version}`];
    const locked = packages[`node_modules/${name}`]?.version;
    return locked === version
      ? []
      : [`${name} is ${version} in package.json and ${locked ?? "nothing"} in the lockfile`];
  });
}

function findMaliciousVersions(entry: Entry, { incidents }: MaliciousVersions): string[] {
  const [name, { version = "" }] = [nameOf(entry), entry[1]];
  return incidents
    .filter(({ versions }) => Object.hasOwn(versions, name) && versions[name]?.includes(version))
    .map(({ source }) => `${name} ${version} was published as malware: ${source}`);
}

/** Counts the versions of a list. */
export function countVersions({ incidents }: MaliciousVersions): number {
  return incidents.flatMap(({ versions }) => Object.values(versions).flat()).length;
}

function nameOf([path, { name }]: Entry): string {
  return name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
