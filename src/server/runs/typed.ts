/** A request as it would be typed. Pure. */
import { defined } from '../../lib/defined.ts';
import type { OptionValues } from '../../options/option-values.ts';
import { wordsFor } from '../../options/read.ts';
import type { ResumeBody, RunBody } from '../api/run-schemas.ts';
import { Refusal } from '../http/problem.ts';

/** The words of its options. */
export function typedOptions({
  provider,
  model,
  planModel,
  ...options
}: Partial<Omit<ResumeBody & RunBody, 'workspace' | 'goal'>>): readonly string[] {
  const named = provider === undefined ? model : `${provider}/${model ?? ''}`;
  if (provider !== undefined && model === undefined)
    throw new Refusal('E_BODY', 'provider is given without model.', 'Give both, or model alone.');
  const optionValues = {
    ...options,
    ...defined({ model: named, models: planModel && { plan: planModel } }),
  } as OptionValues;
  return wordsFor(optionValues, ({ flag }) => flag !== undefined);
}
