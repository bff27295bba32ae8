/** Whether the model really has the window it was asked for, and reads prompts whole. */
import { charsPerToken, leastTokens, sum } from '../../context-manager/prompt-size.ts';
import { type ChosenWindow, LARGEST_DEFAULT_WINDOW } from '../../llm/models/choose-model.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import type { RunState } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import type { Run } from '../run.ts';
import { type LearnPort, learn } from './learn.ts';
import { withinWindow } from './system-prompt.ts';

export type WindowPort = LearnPort & Pick<Run, 'provider' | 'signal'>;

/** A smaller window than asked for is taken as it is, journalled and said. */
export async function verifyWindow(run: WindowPort): Promise<void> {
  if (run.provider.loadedWindow === undefined) return;
  const settings = settingsOf(run.context.state);
  run.context.sync('request');
  const loaded = await run.provider.loadedWindow(settings.model, run.signal).catch(() => null);
  if (!loaded || loaded >= settings.numCtx) return;
  const why = `the model was loaded with a window of ${loaded} tokens, not ${settings.numCtx}`;
  takeWindow(run, { tokens: loaded, why });
}

/**
 * A large local model is asked for a large window. Where memory does not bear that, it is asked for
 * the usual one; true when it is to be asked again. What a person asked for stays.
 */
export function takesLessMemory(
  run: LearnPort & Pick<Run, 'failover'>,
  status: TurnStatus,
): boolean {
  const { numCtx } = settingsOf(run.context.state);
  const isTooMuch = status.kind === 'model_error' && status.lacks === 'memory';
  const isAskedFor = run.failover.inUse().contextWindow !== undefined;
  if (!isTooMuch || isAskedFor || numCtx <= LARGEST_DEFAULT_WINDOW) return false;
  const why = `with a window of ${numCtx} tokens the model does not fit into memory`;
  takeWindow(run, { tokens: LARGEST_DEFAULT_WINDOW, why });
  return true;
}

/** Below this it is no window that was met, but a server in trouble. */
const LEAST_WINDOW = 1024;
/** Of what was refused; the window may be as much smaller as the last exchange was long. */
const BELOW_REFUSED = 0.95;
/** Of the window asked for: nearer to it an overflow says nothing new. */
const FAR_BELOW = 0.9;

/**
 * The smaller window that an overflow shows, so that the next compaction comes in time; `null`
 * where it shows none. Where nobody names it, it lies between what was read whole and what was not.
 */
export function windowFor(state: RunState, fixedChars: number): ChosenWindow | null {
  const { status } = state.lastTurn ?? {};
  if (status?.kind !== 'context_overflow') return null;
  const { numCtx } = settingsOf(state);
  const { windowTokens } = status;
  if (windowTokens !== undefined) {
    const why = `the server says that its window has ${windowTokens} tokens, not ${numCtx}`;
    return windowTokens < numCtx ? { tokens: windowTokens, why } : null;
  }
  const tokens = belowRefused(state, fixedChars);
  const isShown = tokens !== null && tokens >= LEAST_WINDOW && tokens < numCtx * FAR_BELOW;
  const why = `a prompt far below ${numCtx} tokens did not fit: from now on ${tokens} are used`;
  return isShown ? { tokens, why } : null;
}

/** `null` where no prompt was counted that the refused one goes on from. */
function belowRefused({ usage, conversation }: RunState, fixedChars: number): number | null {
  const floor = usage.floor[conversation.at(-1)?.role ?? ''];
  if (!floor) return null;
  const chars = fixedChars + sum(conversation.map((ref) => ref.length));
  const ratio = charsPerToken({ tokens: floor.tokens, chars: fixedChars + floor.chars });
  return Math.floor(Math.max(floor.tokens, (chars / ratio) * BELOW_REFUSED));
}

export function takeWindow(run: LearnPort, { tokens, why }: ChosenWindow): void {
  const settings = settingsOf(run.context.state);
  learn(run, { window: tokens });
  const smaller = { ...settings, numCtx: tokens };
  run.context.record({
    type: 'settings_changed',
    ...smaller,
    ...withinWindow(run, smaller),
    why,
  });
}

/**
 * Tokens the next prompt has at least: it goes on where one that was read whole ended. 0 where
 * nobody knows.
 */
export function leastPromptTokens({ usage, conversation }: RunState): number {
  const role = conversation.at(-1)?.role ?? '';
  return leastTokens(usage.floor[role], sum(conversation.map((ref) => ref.length)));
}
