/** A provider whose questions about its models have a time limit; a turn has limits of its own. */
import { raced } from '../../lib/raced.ts';
import { type Provider, ProviderError } from '../provider.ts';
import { askedThrough } from './asked-through.ts';

/** A list takes seconds, even from a server that reads it from a slow disk. */
export const ANSWER_MS = 60_000;

/** Limits each question: a server that never answers would otherwise hold its caller for ever. */
export const answering = <Of extends Provider>(inner: Of): Of => ({
  ...inner,
  ...askedThrough(inner, (question, signal) => inTime(inner.name, question, signal)),
});

async function inTime<Value>(
  name: string,
  ask: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  const tooLate = (): never => {
    throw new ProviderError(
      { kind: 'timeout' },
      `The provider ${name} was asked about its models and has not answered for ${ANSWER_MS / 1000} s.`,
      'See whether its server works, and start it anew.',
    );
  };
  try {
    return await raced(ask(AbortSignal.any([signal, late.signal])), late.signal, tooLate);
  } catch (error) {
    // An error caused by the abort is no failure of the request.
    return late.signal.aborted && !signal.aborted ? tooLate() : Promise.reject(error);
  } finally {
    clearTimeout(timer);
  }
}
