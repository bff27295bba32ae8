/** What to do about a damaged journal. A conversation is not repaired: its good part continues in a new one. */

import type { OptionAdvice } from '../../lib/errors.ts';
import { basename, dirname } from '../../lib/files/absolute-paths.ts';
import { type Layout, STATE_DIRECTORY } from '../layout.ts';

type StateRoot = Pick<Layout, 'root'>;

/** True if the journal belongs to a conversation. */
export const isSession = ({ root }: StateRoot): boolean =>
  basename(dirname(dirname(root))) === STATE_DIRECTORY;

type Advised = readonly [hint: string, advice: OptionAdvice];

/** For a conversation of which nothing can be read. */
export const LOST_SESSION: Advised = [
  'Put its history.jsonl back from a backup, or begin another conversation.',
  {},
];

/** The last two arguments of an error. @param forRun the hint for a run */
export const repairHint = (place: StateRoot, forRun: string): Advised =>
  isSession(place)
    ? [
        'Write what is good of it into a file: another conversation can begin with that.',
        { command: ['export', basename(place.root)] },
      ]
    : [forRun, { command: ['repair'] }];
