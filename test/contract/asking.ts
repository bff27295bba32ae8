// How the parts of the contract ask a provider.
import type { TurnStatus } from '../../src/schema/model/turn.ts';
import { turn } from '../llm/support.ts';
import { type Act, QUESTION, type Stage } from './harness.ts';

/** A provider with its fake, closed after the test. */
export type Start = (act: Act) => Promise<Stage>;

export const MINUTE = 60_000;
export const FAILED: TurnStatus = { kind: 'model_error', retryable: false };
export const CRASHED: TurnStatus = { kind: 'model_error', retryable: true };
export const CUT: TurnStatus = { kind: 'network_error', retryable: true };

export const never = (): AbortSignal => new AbortController().signal;

export const MESSAGES = [{ role: 'user', content: QUESTION }] as const;

export const ask = (stage: Stage, changes = {}, signal = never()) =>
  turn(stage.provider, { messages: MESSAGES, ...stage.request, ...changes }, signal);
