/** Which models a project's file may name: none that would send the folder's content to a new place. */
import { orOnRefusal, type TardigradeError } from '../../lib/errors.ts';
import { modelForRun, parseModel } from '../models/model-spec.ts';
import { rowOf } from '../providers/providers.ts';
import { configFault } from './document.ts';
import type { Configuration } from './read-config.ts';

export interface UserModels {
  /** The value of the option for the model. */
  readonly typed: string | null;
  readonly baseUrl: string | null;
  /** The model in the user's own file. */
  readonly usual: string | null;
  readonly fallbacks: readonly string[];
  /** Providers that are not in the table. */
  readonly further: readonly string[];
}

/**
 * The models of the project that will be asked. Throws E_USAGE with the line for a model that the user's side does not
 * reach already: another provider, a file, or a model that its server forwards to somebody else.
 */
export function checkReach(
  { document }: NonNullable<Configuration['project']>,
  named: readonly { readonly model: string; readonly path: readonly (string | number)[] }[],
  own: UserModels,
  cwd: string,
): void {
  const { typed, baseUrl, usual, fallbacks, further } = own;
  const reached = [
    modelForRun(typed, null, null, cwd, baseUrl, usual, further),
    ...fallbacks.map((text) => parseModel(text, cwd, null, further)),
  ];
  for (const { model, path } of named) {
    const refuse = (why: string) =>
      configFault(
        document.file,
        document.lineOf(path),
        `A project may not choose "${model.slice(0, 100)}": ${why}.`,
        'Name it yourself if you want it: as the model, as a fallback, or in your own settings.',
      );
    const choice = parsed(model, { cwd, further }, refuse);
    const { provider } = choice;
    if (reached.some((one) => one.provider === provider && one.model === choice.model)) continue;
    const row = rowOf(provider);
    if (reached.every((one) => one.provider !== provider))
      throw refuse(`your own models do not use ${row.label}`);
    if (row.kind === 'playback' || (row.kind === 'local' && row.hostVariable === undefined))
      throw refuse('it is a file, or is downloaded');
    if (row.kind === 'local' && row.passedOn?.test(model))
      throw refuse(`${row.label} passes it on to another server`);
  }
}

function parsed(
  model: string,
  { cwd, further }: { readonly cwd: string; readonly further: readonly string[] },
  refuse: (why: string) => TardigradeError,
) {
  return orOnRefusal(
    () => parseModel(model, cwd, null, further),
    () => {
      throw refuse('it names no model');
    },
  );
}
