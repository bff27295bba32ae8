// Pure: how deeply a value from a model may be nested.
import { UNREADABLE_CALL } from '../../schema/model/turn.ts';
import { invalidAnswer, ProviderError } from '../provider.ts';

const DEEPEST = 64;
/** Further levels that a server's format may add. */
const AROUND = 16;
const DEEPEST_PART = DEEPEST + AROUND;

/** Endless nesting would exhaust the stack of any code that walks the value. */
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

/** Throws a `ProviderError` for arguments that later code could not store, compare or carry out. */
export function refuseTooDeep(name: string, args: unknown): void {
  if (!isTooDeep(args)) return;
  throw unreadableCall(
    `The arguments of the call to ${name} are nested deeper than ${DEEPEST} levels.`,
  );
}

export const unreadableCall = (message: string, cause?: unknown): ProviderError =>
  new ProviderError(UNREADABLE_CALL, message, '', { cause });

/** @param shown the beginning of the arguments */
export const notAnObject = (name: string, shown: string): ProviderError =>
  unreadableCall(`The arguments of the call to ${name} are not an object: ${shown}`);

/** The same for a part that a server needs back unchanged. */
export const isPartTooDeep = (value: unknown): boolean => isTooDeep(value, DEEPEST_PART);

/** A value that a server needs back unchanged. Throws a `ProviderError` if it could not be stored. */
export function notTooDeep<Part>(part: Part): Part {
  if (!isPartTooDeep(part)) return part;
  throw invalidAnswer(`A part of the answer is nested deeper than ${DEEPEST_PART} levels.`, '');
}

/** A value as JSON, however deep it is. */
export const jsonOf = (value: unknown): string =>
  isPartTooDeep(value) ? '"(nested too deep to be shown)"' : String(JSON.stringify(value));

/** A value that was not understood, shortened for the error message. */
export const shortJson = (value: unknown): string => jsonOf(value).slice(0, 120);
