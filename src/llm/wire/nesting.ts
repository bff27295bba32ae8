// How deep a value may be nested that came from a model; pure.
import { ProviderError } from '../provider.ts';

const DEEPEST = 64;

/** What is nested without end would exhaust the stack of everything that walks it. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
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
