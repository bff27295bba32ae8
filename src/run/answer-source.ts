/** Chooses who answers a run's questions. An answer may also stop the run. */
import { misuse } from '../lib/errors.ts';
import { ownSignal } from '../lib/own-signal.ts';
import { type Ask, type Asker, safeAsk } from '../round/permission/answer.ts';
import { askBy, type CanUseTool } from '../round/permission/can-use-tool.ts';
import type { AskPerson } from '../round/permission/person.ts';

interface AnswerSources {
  readonly ask?: Ask | Asker;
  readonly canUseTool?: CanUseTool;
  readonly signal?: AbortSignal;
}

/** Throws E_USAGE when two sources of answers are given. @param warn called with problems of a source */
export function askingOf(
  { ask, canUseTool, signal }: AnswerSources,
  warn: (text: string) => void,
): {
  readonly ask: AskPerson | null;
  isPersonThere(): boolean;
  readonly signal: AbortSignal;
} {
  if (ask !== undefined && canUseTool !== undefined)
    throw misuse('Both ask and canUseTool were given.', 'Give one of them.');
  const stop = new AbortController();
  const either = ownSignal(signal, stop.signal);
  const asker = typeof ask === 'object' ? ask : { ask, isThere: () => true };
  const asked = canUseTool === undefined ? asker.ask : askBy(canUseTool, () => stop.abort());
  return {
    ask: asked === undefined ? null : safeAsk(asked, warn),
    isPersonThere: () => asker.isThere(),
    signal: either,
  };
}
