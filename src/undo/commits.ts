/** Recognises commits that commands made: they are in git's own history, which no undo changes. Pure. */
import type { StoredText } from '../schema/text.ts';
import { splitCommand } from '../tools/commands/split-command.ts';

/** Git's own options whose value is the next word. */
const TAKES_NEXT = /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/;

/** Examines only the words, so the result is the same on every system. */
export function isCommit(cmd: string): boolean {
  const split = splitCommand(cmd, 'linux');
  if (!split.ok || !/(?:^|[\\/])git(?:\.exe)?$/.test(split.program)) return false;
  const verb = split.args.find((arg, at) => {
    return !arg.startsWith('-') && !TAKES_NEXT.test(split.args[at - 1] ?? '');
  });
  return verb === 'commit';
}

/** The id in git's output, such as `[main 0d53dd7] Validate the config`; `null` if there is none. */
export function commitIn(result: StoredText): string | null {
  const said = typeof result === 'string' ? result : result.head;
  return /^\[[^\]\n]* ([0-9a-f]{7,40})\]/m.exec(said)?.[1] ?? null;
}
