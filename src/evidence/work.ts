/** What a run did, by its records and by the disk. */

import type { ContextManager } from '../context-manager/context-manager.ts';
import { installs } from '../languages/commands/installs.ts';
import { namedFiles } from '../languages/files/named-files.ts';
import { isDataPath, isDependency, languageOf, packageFiles } from '../languages/languages.ts';
import { isInside, join, pathsOf } from '../lib/files/absolute-paths.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { type Disk, namedFact, sameFile } from '../probe/named-facts.ts';
import type { NamedFact } from '../schema/evidence.ts';
import { contentReader } from '../workspace/before-images/packs.ts';
import { VERDICT_LIMITS } from '../workspace/copy-limits.ts';
import { gitIgnores } from '../workspace/git-ignored.ts';
import { hasChangedIgnores } from './users-files.ts';

export interface WorkPort {
  readonly context: ContextManager;
  readonly world: {
    exists(path: string): boolean;
    readText(path: string): string | null;
    /** Names of at most `count` files, sorted. */
    files(count: number): readonly string[];
  };
  readonly toolContext: { readonly fs: FileSystem; readonly workspace: string };
}

/** Which files the run changed, and how often, by its records. */
export interface ChangesSeen {
  readonly files: readonly {
    readonly path: string;
    readonly writes: readonly Omit<ChangedFile, 'path'>[];
  }[];
  readonly commands: readonly string[];
  readonly manifests: readonly string[];
}

/** A file before and after the run, as hashes; `null`: it did not exist. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface RunWork {
  readonly changed: readonly ChangedFile[];
  readonly commands: readonly string[];
  readonly disk: Disk;
  /** A command of this run was a package manager's. */
  readonly hasInstalled: boolean;
  /** New files in dependency folders that no package manager installed. */
  readonly newPackages: readonly string[];
  /** Content by its sha256, including changes by commands; `null`: not kept. */
  contentOf(hash: string): Uint8Array | null;
}

/** Paths of files that were not there before the run. */
export const madeIn = ({ changed }: Pick<RunWork, 'changed'>): readonly string[] =>
  changed.flatMap(({ path, before }) => (before === null ? [path] : []));

/** The files and texts by which the words of a command are read. */
export const commandView = ({ world, toolContext }: WorkPort, { disk }: Pick<RunWork, 'disk'>) => ({
  files: disk.files,
  readText: world.readText,
  workspace: toolContext.workspace,
  platform: toolContext.fs.platform,
});

/** True if a file of that name is there, or one whose path ends in it. */
export const isThereIn = ({ disk }: RunWork, path: string): boolean =>
  disk.isThere(path) || disk.files.some(sameFile(path));

/** The text when the run opened; `null`: the file was not there, or its text is unknown. */
export function textBefore(
  path: string,
  { world }: Pick<WorkPort, 'world'>,
  work: RunWork,
): string | null {
  const changed = work.changed.find((file) => file.path === path);
  if (changed === undefined) return world.readText(path);
  const bytes = changed.before === null ? null : work.contentOf(changed.before);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}

const MAX_FILES = VERDICT_LIMITS.files;

export function workOf(run: WorkPort, { files, commands, manifests }: ChangesSeen): RunWork {
  const changed = files.map(({ path, writes }) => ({
    path,
    before: writes[0]?.before ?? null,
    after: writes.at(-1)?.after ?? null,
  }));
  const disk = diskOf(run);
  const { platform } = run.toolContext.fs;
  const hasInstalled = commands.some((line) => {
    const [file = '', ...args] = line.trim().split(/\s+/);
    return installs({ file, args }, platform);
  });
  return {
    changed,
    commands,
    disk,
    hasInstalled,
    contentOf: contentsOf(run, manifests),
    // If no package manager ran, the run itself wrote the new files in dependency folders.
    newPackages: hasInstalled ? [] : newPackages(run, disk),
  };
}

/** True for code as the file's language defines it: its functions can be emptied. Data and prose are not code. */
export const isCode = (path: string): boolean =>
  languageOf(path).emptied !== undefined && !isDataPath(path);

function contentsOf(
  { context }: WorkPort,
  manifests: readonly string[],
): (hash: string) => Uint8Array | null {
  const read = contentReader(manifests, (hash) => context.journal.blobs.read(hash));
  return (hash) => orNull(() => read(hash));
}

function diskOf({ context, world, toolContext: { fs, workspace } }: WorkPort): Disk {
  return {
    isThere: (path) => world.exists(path),
    isNew: (path) =>
      orNull(() => fs.stat(join(workspace, path)).mtimeMs >= context.state.startedAt) ?? false,
    files: world.files(MAX_FILES),
  };
}

/** New files in dependency folders. */
function newPackages({ toolContext: { fs, workspace } }: WorkPort, disk: Disk): readonly string[] {
  const namesIn = (folder: string): readonly string[] =>
    orNull(() => fs.readdir(join(workspace, folder))) ?? [];
  return packageFiles(namesIn).filter(
    (path) => disk.isNew(path) && isDependency(realOf(fs, workspace, path)),
  );
}

/** A package of the workspace itself may be linked into a dependency folder: its files are work. */
function realOf(fs: FileSystem, workspace: string, path: string): string {
  const real = orNull(() => fs.realpath(join(workspace, path)));
  return real !== null && isInside(workspace, real, fs.platform)
    ? pathsOf(fs.platform).relative(workspace, real).replaceAll('\\', '/')
    : path;
}

/**
 * The work without the outputs of builds. Code and tests are altered where they are written, because the
 * proof may build them anew.
 */
export function sourcesOf({ context: { state }, toolContext }: WorkPort, work: RunWork): RunWork {
  const { fs, workspace } = toolContext;
  const isIgnored = hasChangedIgnores(state, gitIgnores(fs, workspace, 'folder'))
    ? () => false
    : gitIgnores(fs, workspace);
  const isSource = (path: string): boolean =>
    state.files[path]?.written === true || isDependency(path) || !isIgnored(path);
  return {
    ...work,
    changed: work.changed.filter(({ path }) => isSource(path)),
    disk: { ...work.disk, files: work.disk.files.filter(isSource) },
  };
}

/** What happened to the files that the goal names, as far as records and disk show it. */
export function namedFactsOf({ context, world }: WorkPort, work: RunWork): readonly NamedFact[] {
  const { goal, files } = context.state;
  const named = namedFiles(goal, (path) => world.exists(path));
  if (named.length === 0) return [];
  const doings = {
    changes: work.changed,
    known: Object.entries(files).flatMap(([path, { hash }]) => (hash ? [path] : [])),
    commands: work.commands,
    written: work.changed.flatMap(({ path }) => world.readText(path) ?? []),
  };
  const looks = { doings, disk: work.disk };
  return named.map((path) => namedFact(path, looks));
}
