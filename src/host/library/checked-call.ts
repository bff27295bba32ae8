/** Checks the options of a program that was not compiled against the types, before anything is created. */

import { TardigradeError } from '../../lib/errors.ts';
import { nearestWord } from '../../lib/text/edit-distance.ts';
import { isLanguageModel } from '../../llm/language-model/language-model.ts';
import { checkGoal } from '../../run/start/checked-options.ts';

const TEXTS = ['workspace', 'run', 'profile', 'baseUrl'] as const;

/** Throws E_USAGE. */
export function checkCall(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw wrong('options', 'an object');
  const fields = options as { readonly [name: string]: unknown };
  if (typeof fields.workspace !== 'string') throw wrong('workspace', 'the path of a folder');
  if (typeof fields.goal !== 'string' && fields.goal !== null) throw wrong('goal', 'a text');
  for (const name of TEXTS)
    if (fields[name] !== undefined && typeof fields[name] !== 'string') throw wrong(name, 'a text');
  const { model, signal } = fields;
  if (model !== undefined && typeof model !== 'string' && !isLanguageModel(model))
    throw wrong('model', 'a name, or a model of the Vercel AI SDK');
  if (signal !== undefined && !isSignal(signal)) throw wrong('signal', 'an AbortSignal');
  // Checked here, because otherwise a missing model would be reported first.
  checkGoal(fields.goal);
}

/**
 * Throws E_USAGE for an option that the function does not have: it would silently have no effect. An option whose value
 * is undefined is ignored.
 * @param known the names of all its options
 */
export function refuseUnknown(
  called: string,
  options: unknown,
  known: { readonly [name: string]: true },
): void {
  if (typeof options !== 'object' || options === null) return;
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const shown = JSON.stringify(name.slice(0, 60));
    const near = nearestWord(name, names);
    throw new TardigradeError(
      'E_USAGE',
      `${called} has no option ${shown}.`,
      near === null ? 'See docs/library.md for each option.' : `Did you mean "${near}"?`,
    );
  }
}

export const isSignal = (value: unknown): value is AbortSignal => value instanceof AbortSignal;

const wrong = (name: string, what: string): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    `${name} must be ${what}.`,
    'See docs/library.md for each option.',
  );
