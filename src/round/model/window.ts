/** Checks whether the model really has the requested window and reads prompts completely. */
import { charsPerToken, leastTokens, sum } from '../../context-manager/prompt-size.ts';
import { type ChosenWindow, LARGEST_DEFAULT_WINDOW } from '../../llm/models/choose-model.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import type { RunState } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import type { RunPorts } from '../run-ports.ts';
import { type LearnPort, learn } from './learn.ts';
import { withinWindow } from './system-prompt.ts';

export type WindowPort = LearnPort & Pick<RunPorts, 'provider' | 'signal'>;

/** Accepts a smaller window than requested; it is journalled and reported. */
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
 * Large local models are asked for a large window. If memory is too small for it, the usual window is used
 * instead, unless a person chose the window. Returns true when the model must be asked again.
 */
export function takesLessMemory(
  run: LearnPort & Pick<RunPorts, 'failover'>,
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

/** Below this, the cause is a server in trouble rather than the window. */
const MIN_WINDOW = 1024;
/**
 * The share of the refused prompt that is assumed to fit; the real window may be smaller by the size of the
 * last exchange.
 */
const BELOW_REFUSED = 0.95;
/** The share of the requested window above which an overflow reveals nothing new. */
const FAR_BELOW = 0.9;

/**
 * The smaller window that an overflow shows, so that the next compaction comes in time; `null`: it shows none.
 * If the server does not name the window, it lies between the longest prompt read completely and the refused
 * one.
 */
export function windowAfterOverflow(state: RunState, fixedChars: number): ChosenWindow | null {
  const { status } = state.lastTurn ?? {};
  if (status?.kind !== 'context_overflow') return null;
  const { numCtx } = settingsOf(state);
  const { windowTokens } = status;
  if (windowTokens !== undefined) {
    const why = `the server says that its window has ${windowTokens} tokens, not ${numCtx}`;
    return windowTokens < numCtx ? { tokens: windowTokens, why } : null;
  }
  const tokens = belowRefused(state, fixedChars);
  const isShown = tokens !== null && tokens >= MIN_WINDOW && tokens < numCtx * FAR_BELOW;
  const why = `a prompt far below ${numCtx} tokens did not fit: from now on ${tokens} are used`;
  return isShown ? { tokens, why } : null;
}

/** `null` if no prompt was counted that the refused one extends. */
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

/** The least number of tokens of the next prompt, which extends one that was read completely; 0: unknown. */
export function leastPromptTokens({ usage, conversation }: RunState): number {
  const role = conversation.at(-1)?.role ?? '';
  return leastTokens(usage.floor[role], sum(conversation.map((ref) => ref.length)));
}
