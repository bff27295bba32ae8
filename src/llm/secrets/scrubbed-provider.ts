// Pure: removes keys from a server's errors, which may echo them.
import {
  adviceIn,
  type OptionAdvice,
  type RecoveryHint,
  TardigradeError,
} from '../../lib/errors.ts';
import { sharedLength } from '../../lib/shared-length.ts';
import { takes } from '../../lib/takes.ts';
import { askedThrough } from '../models/asked-through.ts';
import { type Provider, ProviderError } from '../provider.ts';
import { SCRUBBED, scrubber } from './scrub.ts';

export type ScrubText = (text: string) => string;

/** The longest part of a key that is removed where a sentence was cut short. */
const LONGEST_REST = 12;

/** Also removes the beginning of a secret, since servers cut sentences at some length. */
export function textScrubber(secrets: readonly string[]): ScrubText {
  takes('textScrubber', 'a list', secrets);
  const scrub = scrubber(secrets);
  const long = secrets.filter((secret) => secret.length > LONGEST_REST);
  return (text) => long.reduce(withoutBeginning, scrub(text));
}

function withoutBeginning(text: string, secret: string): string {
  const rest = secret.slice(LONGEST_REST);
  const [before = '', ...parts] = text.split(secret.slice(0, LONGEST_REST));
  return [before, ...parts.map((part) => part.slice(sharedLength(part, rest)))].join(SCRUBBED);
}

/** The same error if nothing is to be hidden; else one of its kind, without its cause. */
export function scrubbedError(error: unknown, scrub: ScrubText): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? scrub(error) : error;
  const all = wholeText(error);
  if (scrub(all) === all) return error;
  const message = scrub(error.message);
  const scrubbed = (from: OptionAdvice): OptionAdvice =>
    from.optionValue === undefined
      ? adviceIn(from)
      : { ...adviceIn(from), optionValue: scrub(from.optionValue) };
  if (error instanceof ProviderError)
    return new ProviderError(error.status, message, scrub(error.hint), scrubbed(error));
  if (error instanceof TardigradeError)
    return new TardigradeError(error.code, message, scrub(error.hint), scrubbed(error));
  const stack = scrub(error.stack ?? '');
  return Object.assign(new Error(message), { name: error.name, stack });
}

function wholeText(error: Error): string {
  const texts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    texts.push(current.message, current.stack ?? '');
    for (const field of ['hint', 'optionValue'] as const)
      if (field in current) texts.push(String((current as Partial<RecoveryHint>)[field] ?? ''));
    current = current.cause;
  }
  return texts.join('\n');
}

/** Runs an operation, and scrubs the error that it throws. */
export const withCleanErrors =
  (scrub: ScrubText) =>
  async <Value>(operation: () => Promise<Value>): Promise<Value> => {
    try {
      return await operation();
    } catch (error) {
      throw scrubbedError(error, scrub);
    }
  };

/** The same provider, with its errors and finish reasons scrubbed. */
export function scrubbedProvider(inner: Provider, scrub: ScrubText): Provider {
  takes('scrubbedProvider', 'an object', inner);
  const cleanly = withCleanErrors(scrub);
  return {
    ...askedThrough(inner, (question, signal) => cleanly(() => question(signal))),
    async *stream(request, signal, limits) {
      try {
        for await (const event of inner.stream(request, signal, limits))
          yield event.type === 'finished' ? { ...event, rawReason: scrub(event.rawReason) } : event;
      } catch (error) {
        throw scrubbedError(error, scrub);
      }
    },
  };
}
