/** A request as the words of a command line. Pure. */
import { defined } from '../../lib/defined.ts';
import type { OptionValues } from '../../options/option-values.ts';
import { wordsFor } from '../../options/read.ts';
import type { ResumeBody, RunBody } from '../api/run-schemas.ts';
import { ServerRefusal } from '../http/problem.ts';

/** The model that a body names, in one word. */
export function modelWord({
  provider,
  model,
}: Partial<Pick<RunBody, 'provider' | 'model'>>): string | undefined {
  if (provider === undefined) return model;
  if (model === undefined)
    throw new ServerRefusal(
      'E_BODY',
      'provider is given without model.',
      'Give both, or model alone.',
    );
  return `${provider}/${model}`;
}

/** The words for the options of a request. */
export function typedOptions({
  provider,
  model,
  planModel,
  ...options
}: Partial<Omit<ResumeBody & RunBody, 'workspace' | 'goal'>>): readonly string[] {
  const optionValues = {
    ...options,
    ...defined({ model: modelWord({ provider, model }), models: planModel && { plan: planModel } }),
  } as OptionValues;
  return wordsFor(optionValues, ({ flag }) => flag !== undefined);
}
