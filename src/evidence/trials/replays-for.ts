/** Decides by the files on disk which commands of a run are repeated in copies. */

import { installs } from '../../languages/commands/installs.ts';
import { isDependency, languageOf } from '../../languages/languages.ts';
import { sameFile } from '../../probe/named-facts.ts';
import type { NamedFact } from '../../schema/evidence.ts';
import { plannedFiles } from '../../schema/plan.ts';
import { gitIgnores } from '../../workspace/git-ignored.ts';
import type { ChangesPort } from '../changes.ts';
import { changedOfCommand } from '../evidence-of.ts';
import { namesNew, partsOfProof, takesCode } from '../program-of-proof.ts';
import { hasChangedIgnores, isNobodysPath } from '../users-files.ts';
import { commandView, isCode, type RunWork, type WorkPort } from '../work.ts';
import { builtInPlace } from './built-in-place.ts';
import {
  type CommandOfRun,
  type Made,
  type MadeByCommands,
  replaysOf,
} from './made-by-commands.ts';

interface Seen {
  readonly made: MadeByCommands;
  readonly work: RunWork;
  readonly named: readonly NamedFact[];
  /** The command line of the proof. */
  readonly proof: string;
}

export async function replaysFor(
  run: WorkPort & ChangesPort,
  { made, work, named, proof }: Seen,
): Promise<Made | null> {
  const { fs, workspace } = run.toolContext;
  const { state } = run.context;
  const isIgnoredFolder = gitIgnores(fs, workspace, 'folder');
  const isIgnored = gitIgnores(fs, workspace);
  const areOthers = hasChangedIgnores(state, isIgnoredFolder);
  const { rootOf } = builtInPlace(run);
  const written = Object.entries(state.files).flatMap(([path, one]) => (one.written ? [path] : []));
  const isWritten = new Set(written);
  const empty = await withoutFunctions(run, made);
  const planned = new Set(plannedFiles(state.plan));
  return replaysOf(made, {
    isWritten: (path) => isWritten.has(path),
    written,
    ignoredRoot: (path) => {
      const built = rootOf(path);
      if (built !== null || areOthers) return built;
      const parts = path.split('/');
      const above = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
      return above.find(isIgnoredFolder) ?? (isIgnored(path) ? path : null);
    },
    // What lies in a folder that no copy has can only be made there.
    isNamed: (path) =>
      rootOf(path) === null && (planned.has(path) || named.some((one) => sameFile(one.path)(path))),
    isCode: (path) => isCode(path) && !empty.has(path),
    files: work.disk.files,
    isOld: (command) => isAsBefore(run, command, work),
    isNobodys: (path) => isNobodysPath(path) || isDependency(path),
    isThere: (path) => run.world.exists(path),
    installs: (cmd) => {
      const [file = '', ...args] = cmd.trim().split(/\s+/);
      return installs({ file, args }, fs.platform);
    },
    proof,
  });
}

const MAX_LOOKED_AT = 50;

/** Code files made by commands that hold no function to empty, such as the stamps of a build. */
async function withoutFunctions(
  run: ChangesPort,
  made: MadeByCommands,
): Promise<ReadonlySet<string>> {
  const paths = new Set(made.flatMap(({ files }) => files.map(({ path }) => path)));
  const found = new Set<string>();
  for (const path of [...paths].filter(isCode).slice(0, MAX_LOOKED_AT)) {
    const text = run.world.readText(path) ?? '';
    const emptied = await languageOf(path).emptied?.(path, text, null, run.inspectionDeps());
    if (emptied === null) found.add(path);
  }
  return found;
}

/**
 * True if everything that a command runs is as it was before the run, and no code is given with the command.
 * In another folder it is unknown what the command runs.
 */
export function isAsBefore(
  run: WorkPort,
  { cmd, stdin = '', cwd = '.' }: CommandOfRun,
  work: RunWork,
): boolean {
  if (stdin !== '' || cwd !== '.') return false;
  const { programs, settings, isNew } = changedOfCommand(run, { cmd }, work);
  const isOld = programs.length + settings.length === 0 && !isNew && !namesNew(cmd, work);
  return isOld && !takesCode(cmd, commandView(run, work)) && !importsChanged(run, cmd, work);
}

const MAX_IMPORTED = 500;

/** True where a program of the command uses changed files, or more files than are looked at. */
function importsChanged({ world, ...run }: WorkPort, cmd: string, work: RunWork): boolean {
  const really = work.changed.filter(({ before, after }) => before !== after);
  const changed = new Set(really.map(({ path }) => path));
  const used = new Set(partsOfProof({ cmd }, commandView({ world, ...run }, work)).programs);
  for (const path of used) {
    if (changed.has(path) || used.size > MAX_IMPORTED) return true;
    const imported = languageOf(path).imports?.(path, world.readText(path) ?? '') ?? [];
    for (const one of imported) if (world.exists(one)) used.add(one);
  }
  return false;
}

/** The work without the outputs that each copy makes anew. */
export const withoutOutputs = (work: RunWork, { isOutput }: Pick<Made, 'isOutput'>): RunWork => ({
  ...work,
  changed: work.changed.filter(({ path }) => !isOutput(path)),
  disk: { ...work.disk, files: work.disk.files.filter((path) => !isOutput(path)) },
});
