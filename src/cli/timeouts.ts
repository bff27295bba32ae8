import { durationWord } from '../lib/duration.ts';
import type { Deadlines } from '../llm/turn/deadlines.ts';
import { parseDuration } from './limits.ts';

/** Pure: how long each part of a model request may take, as far as it was said. */
export type GivenTimeouts = Partial<Deadlines>;

const OPTIONS: readonly {
  readonly deadline: keyof Deadlines;
  readonly name: string;
  readonly flag: string;
}[] = [
  { deadline: 'connectMs', name: 'connectTimeout', flag: '--connect-timeout' },
  { deadline: 'firstEventMs', name: 'firstWordTimeout', flag: '--first-word-timeout' },
  { deadline: 'idleMs', name: 'silenceTimeout', flag: '--silence-timeout' },
  { deadline: 'totalMs', name: 'turnTimeout', flag: '--turn-timeout' },
];

/** `text` gives the value of an option by its name. Throws E_USAGE. */
export function parseTimeouts(text: (name: string) => string | null): GivenTimeouts {
  return Object.fromEntries(
    OPTIONS.flatMap(({ deadline, name, flag }) => {
      const ms = parseDuration(text(name), flag);
      return ms === null ? [] : [[deadline, ms]];
    }),
  );
}

/** As they are typed. */
export const timeoutWords = (timeouts: GivenTimeouts): readonly string[] =>
  OPTIONS.flatMap(({ deadline, flag }) => {
    const ms = timeouts[deadline];
    return ms === undefined ? [] : [flag, durationWord(ms)];
  });
