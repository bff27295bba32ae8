/** Recognises commits that commands made: they are in git's own history, which no undo changes. Pure. */
import { gitCall } from '../policy/git-call.ts';
import type { StoredText } from '../schema/text.ts';
import { splitCommand } from '../tools/commands/split-command.ts';

/** Examines only the words, so the result is the same on every system. */
export function isCommit(cmd: string): boolean {
  const split = splitCommand(cmd, 'linux');
  const isGit = split.ok && /(?:^|[\\/])git(?:\.exe)?$/.test(split.program);
  return isGit && gitCall(split.args).command === 'commit';
}

/** The id in git's output, such as `[main 0d53dd7] Validate the config`; `null` if there is none. */
export function commitIn(result: StoredText): string | null {
  const said = typeof result === 'string' ? result : result.head;
  return /^\[[^\]\n]* ([0-9a-f]{7,40})\]/m.exec(said)?.[1] ?? null;
}
