/**
 * The sandbox around the commands of a run, set up anew for each command.
 * 1. A command can write only to its working folder and to its own caches and temporary files, and it has no
 *    network.
 * 2. Files that only a person may change are read-only, and files that may hold keys are hidden.
 * 3. Files that only a person may permit and that appear while a command runs are moved away when it has ended,
 *    unless a tool of the run wrote them. Who made them is not known: a person may work in the folder.
 */
import { layoutOf, PUT_ASIDE, STATE_DIRECTORY } from '../../journal/layout.ts';
import { PROGRAMS } from '../../languages/commands/programs.ts';
import { isSecretFile } from '../../languages/files/secret-files.ts';
import { isCache, isInstalled } from '../../languages/languages.ts';
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import { makeDirectory } from '../../lib/files/durable-files.ts';
import { shortened } from '../../lib/text/shortened.ts';
import { INSTRUCTING_NAMES, instructs } from '../../policy/files.ts';
import type { Policy } from '../../policy/policy.ts';
import type { HiddenPath } from '../../processes/sandbox/contract.ts';
import type { Around, Confinement } from '../../processes/sandbox/run-confined.ts';
import type { SystemProcesses } from '../../processes/system-processes.ts';
import type { FolderTrust } from '../../round/permission/folder-trust.ts';
import type { Emit } from '../../schema/events/events.ts';
import type { RunState } from '../../schema/state.ts';
import { hashFile } from '../../workspace/files.ts';
import {
  allBut,
  type GuardedPlaces,
  guardedPlaces,
  type Kinds,
  putAside,
} from '../../workspace/guarded.ts';
import { entriesOf } from '../../workspace/walk.ts';
import { evaluatorOf, type Machine } from '../machine.ts';
import type { SandboxChoice } from './choose-sandbox.ts';
import { toolRoots } from './tool-roots.ts';

export interface ConfinementPorts {
  readonly machine: Machine;
  /** Absolute real path. */
  readonly workspace: string;
  /** The environment that programs start with. */
  environment(): { readonly [name: string]: string };
  /** True when the content of a file may not be shown without consent; path relative, with `/`. */
  hides(path: string): boolean;
  /** Left out: no tool and no other program works here. */
  readonly beside?: Beside;
}

/** Facts that the commands and servers of one run share, so that none moves away what another one made. */
export interface Beside {
  /** The contents that tools of the run left in files. */
  files(): RunState['files'];
  /** Called with the paths that were put aside, relative with `/`. */
  onPutAside(paths: readonly string[]): void;
  /** Called with the paths that stay, because a program outside the sandbox may have made them. */
  onLeft(paths: readonly string[]): void;
  readonly live: Known;
}

/**
 * Reports both to the person: what was put aside may be theirs, and what stays may be of the confined
 * program.
 */
export function besideIn(context: { readonly state: Pick<RunState, 'files'>; emit: Emit }): Beside {
  const warn = (paths: readonly string[], rest: string): void => {
    const text = `${shortened(paths.join(', '), 200)} appeared while a confined program ran, and may tell programs what to do${rest}`;
    context.emit({ type: 'notice', level: 'warning', text });
  };
  return {
    files: () => context.state.files,
    onPutAside: (paths) =>
      warn(paths, `: moved to ${STATE_DIRECTORY}/${PUT_ASIDE}. If you made it, move it back.`),
    onLeft: (paths) =>
      warn(paths, '. It stays, because a program outside the sandbox ran, too: look at it.'),
    live: new Set(),
  };
}

/** The processes of a run or conversation. @param policy must be available when the first program starts */
export function processesBehind(
  found: SandboxChoice,
  place: Omit<ConfinementPorts, 'environment' | 'hides'> & {
    /** `null`: no program of the workspace may run. */
    readonly folders: FolderTrust | null;
    readonly policy: () => Pick<Policy, 'hides'>;
  },
): { readonly processes: SystemProcesses; readonly isSandboxed: boolean } {
  const { machine, workspace, folders, policy, ...more } = place;
  const environment = () => processes.outside.environment();
  const hides = (path: string): boolean => policy().hides(path);
  const sandbox = confinementOf(found, { ...more, machine, workspace, environment, hides });
  const processes = machine.processes(workspace, folders?.trusted ?? [], sandbox);
  const isSandboxed = sandbox !== undefined;
  if (folders === null) return { processes, isSandboxed };
  const run = folders.around(
    processes.run,
    ({ isUnsandboxed }) => isSandboxed && isUnsandboxed !== true,
  );
  return { processes: { ...processes, run }, isSandboxed };
}

/** `undefined` when there is no sandbox. */
export function confinementOf(
  { found }: SandboxChoice,
  place: ConfinementPorts,
): Confinement | undefined {
  if (found?.kind !== 'holds') return undefined;
  const { machine, workspace } = place;
  const { fs } = machine;
  const layout = layoutOf(workspace);
  // A conversation without stored state has no such folder.
  makeDirectory(fs, layout.root);
  makeDirectory(fs, layout.cache);
  const live = place.beside?.live ?? new Set();
  return {
    sandbox: found.sandbox,
    around: (cwd) =>
      isInside(layout.scratch, cwd, fs.platform)
        ? aroundCopy(layout.scratch, place)
        : aroundWorkspace(place, live),
    beside: () => {
      if (live.size === 0) return () => {};
      const before = new Set(placesNow(place));
      return () => {
        const made = placesNow(place).filter((path) => !before.has(path));
        for (const known of live) for (const path of made) known.add(path);
        if (made.length > 0) place.beside?.onLeft(made);
      };
    },
  };
}

/** For each program that runs, the guarded places that are not its own. */
type Known = Set<Set<string>>;

const TOO_MANY =
  'the folder holds more names than are looked at, so not all that may hold keys could be hidden, and no program runs confined; remove what a program made, or the user starts the run without a sandbox';

const unnamedText = (names: readonly string[]): string =>
  `the name of ${names[0]} is not UTF-8, so what may hold keys there could not be hidden, and no program runs confined; the user renames it, or starts the run without a sandbox`;

function aroundWorkspace(place: ConfinementPorts, live: Known): Around | string {
  const { machine, workspace } = place;
  const { fs } = machine;
  const places = guardedPlaces(fs, workspace, kindsFor(place));
  if (places === null) return TOO_MANY;
  const { hidden, unnamed } = places;
  if (unnamed.length > 0) return unnamedText(unnamed);
  const guarded = [...places.guarded, ...programPlaces(fs, workspace)];
  const known = new Set(guarded.map(({ path }) => path));
  live.add(known);
  return {
    boundaries: {
      ...machineBoundaries(place),
      ...boundariesIn(workspace, { guarded, hidden }, place),
    },
    putAside: () => {
      live.delete(known);
      const appeared = placesNow(place).filter((path) => !known.has(path));
      if (appeared.length === 0) return [];
      const others = allBut(fs, workspace, appeared, writtenByTools(place));
      const moved = putAside(fs, workspace, others, layoutOf(workspace).putAside);
      if (moved.length > 0) place.beside?.onPutAside(moved);
      return moved;
    },
  };
}

/** Searches without a limit, because the program started within it and so made every name beyond it. */
function placesNow(place: ConfinementPorts): readonly string[] {
  const { machine, workspace } = place;
  const kinds = { ...kindsFor(place), isHidden: () => false };
  const found = guardedPlaces(machine.fs, workspace, kinds, Number.POSITIVE_INFINITY);
  const all = [...(found?.guarded ?? []), ...programPlaces(machine.fs, workspace)];
  return all.map(({ path }) => path);
}

/**
 * Files as tools of the run left them: a person has allowed these contents, also while a background program
 * runs.
 */
function writtenByTools({ machine: { fs }, workspace, beside }: ConfinementPorts) {
  const owned = Object.entries(beside?.files() ?? {}).filter(([, { isOwn }]) => isOwn === true);
  return owned.flatMap(([path, { hash }]) =>
    hash !== null && hashFile(fs, pathsOf(fs.platform).join(workspace, path)) === hash
      ? [path]
      : [],
  );
}

const placesOfPrograms = (platform: NodeJS.Platform): readonly string[] =>
  PROGRAMS.programFolders(platform).map(({ root, programs, isWhole }) =>
    isWhole === true ? root : programs,
  );

/**
 * Existing program folders of the workspace. What a confined program leaves there must not run outside the
 * sandbox.
 */
const programPlaces = (fs: Machine['fs'], workspace: string): GuardedPlaces['guarded'] =>
  placesOfPrograms(fs.platform).flatMap((path) => {
    try {
      const { kind } = fs.lstat(pathsOf(fs.platform).join(workspace, path));
      return [{ path, isLink: kind === 'symlink' }];
    } catch {
      return [];
    }
  });

/** Files that a program creates in the copy belong to nobody and are removed. */
function aroundCopy(folder: string, place: ConfinementPorts): Around | string {
  const { machine, workspace } = place;
  const shared = machineBoundaries(place);
  const [there, copied] = [workspace, folder].map((one) =>
    guardedPlaces(machine.fs, one, kindsFor(place)),
  );
  if (!there || !copied) return TOO_MANY;
  const unnamed = [...there.unnamed, ...copied.unnamed];
  if (unnamed.length > 0) return unnamedText(unnamed);
  const around = boundariesIn(workspace, there, place);
  const own = boundariesIn(folder, copied, place);
  const readable = [...shared.readable, workspace];
  const hidden = [...around.hidden, ...own.hidden];
  return { boundaries: { ...shared, ...own, readable, hidden }, putAside: () => [] };
}

function boundariesIn(
  folder: string,
  { guarded, hidden }: Omit<GuardedPlaces, 'unnamed'>,
  place: ConfinementPorts,
) {
  const { fs } = place.machine;
  const at = (path: string): string => pathsOf(fs.platform).join(folder, path);
  return {
    folder,
    // A link is not protected itself: its target is protected under its own name, or needs no protection.
    guarded: guarded.flatMap(({ path, isLink }) => (isLink ? [] : [at(path)])),
    hidden: [
      ...hidden.map((one): HiddenPath => ({ ...one, path: at(one.path) })),
      ...machineSecrets(place),
      ...ownFolders([folder, place.workspace, ...toolsOf(place)], place),
    ],
  };
}

/** The user's own folders that would otherwise be visible in the workspace or in a program folder. */
function ownFolders(seen: readonly string[], { machine }: ConfinementPorts): readonly HiddenPath[] {
  const { fs, ownFolders: own = [] } = machine;
  return own.flatMap((folder) => {
    try {
      const path = fs.realpath(folder);
      const isSeen = seen.some((place) => place !== path && isInside(place, path, fs.platform));
      return isSeen && fs.stat(path).kind === 'directory' ? [{ path, isFolder: true }] : [];
    } catch {
      // The folder is missing or cannot be seen from here.
      return [];
    }
  });
}

const kindsFor = ({ machine, hides }: ConfinementPorts): Kinds => ({
  isGuarded: instructs,
  isHidden: (path, isFolder) => hides(isFolder ? `${path}/x` : path),
  isLeftOut: (path, name) => isCache(name) || isInstalled(path, machine.fs.platform),
});

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function machineBoundaries(place: ConfinementPorts) {
  const { machine, workspace } = place;
  const { fs } = machine;
  return {
    home: machine.home ?? null,
    readable: toolsOf(place),
    names: [...INSTRUCTING_NAMES, ...placesOfPrograms(fs.platform).map(lastName)],
    cache: layoutOf(workspace).cache,
  };
}

const toolsOf = ({ machine, workspace, environment }: ConfinementPorts): readonly string[] => {
  const { fs, home = null } = machine;
  const { file: nodePath } = evaluatorOf(machine);
  return toolRoots({ fs, workspace, home, env: environment(), nodePath });
};

/** Registry credentials often lie beside the packages that were downloaded with them. */
function machineSecrets(place: ConfinementPorts): readonly HiddenPath[] {
  const { fs, home = null } = place.machine;
  if (home === null) return [];
  const { join } = pathsOf(fs.platform);
  return toolsOf(place)
    .filter((root) => isInside(home, root, fs.platform))
    .flatMap((root) => [...entriesOf(fs, root)].map(({ path, info }) => ({ path, info, root })))
    .filter(({ path, info }) => info.kind === 'file' && isSecretFile(path))
    .map(({ path, root }) => ({ path: join(root, path), isFolder: false }));
}
