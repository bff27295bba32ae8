/** Whether pages of the web may be asked for where nobody has said it: not where a machine works for nobody in particular. */
import type { OptionValues } from '../../options/option-values.ts';
import type { Terminal } from '../process/terminal.ts';

export const webFor = ({ env }: Pick<Terminal, 'env'>): NonNullable<OptionValues['web']> =>
  env.CI ? 'off' : 'on';
