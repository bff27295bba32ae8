/** What of a run's commands is repeated in copies, by what is on disk. */
import { installs } from '../../languages/commands/installs.ts';
import { isDependency } from '../../languages/languages.ts';
import { gitIgnores } from '../../workspace/git-ignored.ts';
import { hasOtherIgnores, isNobodysPath } from '../users-files.ts';
import type { RunWork, WorkPort } from '../work.ts';
import { type Made, type MadeByCommands, replaysOf } from './made-by-commands.ts';

/** @param proof the line that proves */
export function replaysFor(run: WorkPort, made: MadeByCommands, proof: string): Made | null {
  const { fs, workspace } = run.toolContext;
  const { state } = run.context;
  const isIgnoredFolder = gitIgnores(fs, workspace, 'folder');
  const isIgnored = gitIgnores(fs, workspace);
  const areOthers = hasOtherIgnores(state, isIgnoredFolder);
  const written = Object.entries(state.files).flatMap(([path, one]) => (one.written ? [path] : []));
  const isWritten = new Set(written);
  return replaysOf(made, {
    isWritten: (path) => isWritten.has(path),
    written,
    ignoredRoot: (path) => {
      if (areOthers) return null;
      const parts = path.split('/');
      const above = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
      return above.find(isIgnoredFolder) ?? (isIgnored(path) ? path : null);
    },
    isNobodys: (path) => isNobodysPath(path) || isDependency(path),
    isThere: (path) => run.world.exists(path),
    installs: (cmd) => {
      const [file = '', ...args] = cmd.trim().split(/\s+/);
      return installs({ file, args }, fs.platform);
    },
    proof,
  });
}

/** The work without what is made anew in each copy. */
export const withoutOutputs = (work: RunWork, { isOutput }: Pick<Made, 'isOutput'>): RunWork => ({
  ...work,
  changed: work.changed.filter(({ path }) => !isOutput(path)),
  disk: { ...work.disk, files: work.disk.files.filter((path) => !isOutput(path)) },
});
