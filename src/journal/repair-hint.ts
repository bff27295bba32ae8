/** What to do about a damaged journal. A conversation is not repaired: what is good of it goes on in another. */
import { basename, dirname } from 'node:path';
import { type Layout, STATE_DIRECTORY } from './layout.ts';

/** @param forRun what is said of a run */
export function repairHint({ root }: Layout, forRun: string): string {
  const isSession = basename(dirname(dirname(root))) === STATE_DIRECTORY;
  return isSession
    ? `Run \`agent export ${basename(root)} > saved.jsonl\`: it writes what is good of it, and another conversation can begin with that file (\`agent help chat\` says how).`
    : forRun;
}
