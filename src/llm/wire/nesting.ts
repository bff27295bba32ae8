// How deep a value may be nested that came from a model; pure.
import { ProviderError } from '../provider.ts';

const DEEPEST = 64;
/** Levels that a server's form may have beside. */
const AROUND = 16;

/** What is nested without end would exhaust the stack of everything that walks it. */
export function isTooDeep(value: unknown, deepest = DEEPEST): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** Throws a `ProviderError` for arguments that nothing behind could store, compare or carry out. */
export function refuseTooDeep(name: string, args: unknown): void {
  if (!isTooDeep(args)) return;
  throw new ProviderError(
    { kind: 'invalid_response' },
    `The arguments of the call to ${name} are nested deeper than ${DEEPEST} levels.`,
    '',
  );
}

/** What a server wants back as it came. Throws a `ProviderError` where nothing could store it. */
export function notTooDeep<Part>(part: Part): Part {
  if (!isTooDeep(part, DEEPEST + AROUND)) return part;
  throw new ProviderError(
    { kind: 'invalid_response' },
    `A part of the answer is nested deeper than ${DEEPEST + AROUND} levels.`,
    '',
  );
}

/** A value as JSON, however deep it is. */
export const jsonOf = (value: unknown): string =>
  isTooDeep(value, DEEPEST + AROUND)
    ? '"(nested too deep to be shown)"'
    : String(JSON.stringify(value));

/** A value that was not understood, for the sentence that says so. */
export const shorten = (value: unknown): string => jsonOf(value).slice(0, 120);
