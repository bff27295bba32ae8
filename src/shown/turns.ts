/** Why a request is made, how it ended, and why a run is paused. Pure. */
import { oneLine } from '../lib/text/plain-text.ts';
import type { TurnStatus } from '../schema/model/turn.ts';
import type { PauseReason } from '../schema/records.ts';
import type { Paused } from '../schema/state.ts';

/** Why the model is asked. @param target the file whose content is asked for; '' or `null`: none */
export function purposeWords(purpose: string, target: string | null, isMending = false): string {
  const file = oneLine(target ?? '');
  switch (purpose) {
    case 'brief':
      return 'reading the goal';
    case 'plan':
      return 'planning';
    case 'replan':
      return 'planning again';
    case 'try':
      return 'trying at once';
    case 'content':
      return `${isMending ? 'mending' : 'writing'} ${file === '' ? 'the file' : file}`;
    case 'summary':
      return 'summing up';
    default:
      return 'deciding';
  }
}

/** How a request ended, in words. */
export const TURN_WORDS: { readonly [Kind in TurnStatus['kind']]: string } = {
  success: 'the model answered',
  rate_limited: 'the server takes no more requests for now',
  auth_failed: 'the key was refused',
  quota_exceeded: 'the quota is used up',
  context_overflow: "the model's window is too small",
  model_error: 'the model cannot be used',
  network_error: 'the connection failed',
  timeout: 'the model did not answer in time',
  invalid_response: 'the answer could not be read',
  truncated: 'the answer was cut off',
  refused: 'the model refused to answer',
  aborted: 'interrupted',
};

export const PAUSE_WORDS: { readonly [Why in PauseReason]: string } = {
  limit_rounds: 'limit of rounds reached',
  limit_tokens: 'limit of tokens reached',
  limit_cost: 'limit of cost reached',
  limit_time: 'limit of time reached',
  context_overflow: TURN_WORDS.context_overflow,
  stalled: 'the model made no progress',
  waiting_for_person: 'waiting for you',
  provider_unavailable: 'the model gave no usable answer',
  auth: TURN_WORDS.auth_failed,
  quota: TURN_WORDS.quota_exceeded,
  refused: TURN_WORDS.refused,
  timeout: TURN_WORDS.timeout,
  disk_full: 'the disk is full',
  interrupted: 'interrupted',
};

/** Why a run is paused; if a server is unusable, the last request says more. */
export const pauseWords = (
  { why }: Pick<Paused, 'why'>,
  last: { readonly status: TurnStatus } | null,
): string =>
  why === 'provider_unavailable' && last !== null && last.status.kind !== 'success'
    ? TURN_WORDS[last.status.kind]
    : PAUSE_WORDS[why];
