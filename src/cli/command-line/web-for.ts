/** Whether web pages may be offered by default: not on a machine that works without a person. */
import type { OptionValues } from '../../options/option-values.ts';
import type { Terminal } from '../process/terminal.ts';

export const webFor = ({ env }: Pick<Terminal, 'env'>): NonNullable<OptionValues['web']> =>
  env.CI ? 'off' : 'on';
