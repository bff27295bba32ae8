/** What to do about a damaged journal. A conversation is not repaired: what is good of it goes on in another. */
import { basename, dirname } from 'node:path';
import { type Layout, STATE_DIRECTORY } from './layout.ts';

type StateRoot = Pick<Layout, 'root'>;

/** Whether the journal is that of a conversation. */
export const isSession = ({ root }: StateRoot): boolean =>
  basename(dirname(dirname(root))) === STATE_DIRECTORY;

/** Where nothing of a conversation can be read. */
export const LOST_SESSION =
  'Put its history.jsonl back from a backup, or begin another conversation.';

/** @param forRun what is said of a run */
export function repairHint(place: StateRoot, forRun: string): string {
  return isSession(place)
    ? `Run \`agent export ${basename(place.root)} > saved.jsonl\`: it writes what is good of it, and another conversation can begin with that file (\`agent help chat\` says how).`
    : forRun;
}
