import type { OpenedModel } from '../../host/providers/provider-row.ts';
import { PROVIDER_NAMES, rowOf } from '../../host/providers/providers.ts';
import type { OptionAdvice, OptionName, RecoveryHint } from '../../lib/errors.ts';
import { durationWord } from '../../lib/text/duration.ts';
import type { ModelSetting } from '../../llm/provider.ts';
import { timeSpan } from '../../options/kinds.ts';
import { withOptionValue } from '../../options/option-values.ts';
import type { OptionRow } from '../../options/row.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import { USUAL_NAME } from '../process/program-name.ts';

/** Pure: how the command line names the options of a call. */
export const rowFor = (option: OptionName): OptionRow => OPTIONS[option];

/**
 * The environment variable that also sets an option. There is none for a model or an address: their variable
 * depends on the provider, which is decided elsewhere.
 */
function variableOf({ variable }: OptionRow): string | undefined {
  if (typeof variable !== 'object') return variable;
  if (variable.ofProvider !== 'hostVariable') return undefined;
  const rows = PROVIDER_NAMES.map(rowOf);
  return rows.flatMap((row) => (row.kind === 'local' ? (row.hostVariable ?? []) : []))[0];
}

/**
 * The next step with what to type at its end: a command after a colon, or in brackets if the sentence has
 * ended; a flag in brackets, or as the command's next word.
 *
 * @param agent the name by which the program was started
 */
export function nextStepText({ hint, ...advice }: RecoveryHint, agent: string): string {
  const flag = flagText(advice);
  const { command, endsInCommand } = advice;
  if (hint === '' || (flag === '' && command === undefined)) return hint;
  const [, sentence = '', stop = ''] = /^(.*?)(\.?)$/s.exec(hint) ?? [];
  // Records of earlier builds have the command in their sentence.
  if (command === undefined)
    return endsInCommand ? `${hint} ${flag}` : `${sentence} (${flag})${stop}`;
  const typed = [agent, ...command, ...(endsInCommand ? [flag] : [])].join(' ');
  const beside = endsInCommand || flag === '' ? '' : flag;
  if (stop === '') return `${sentence}${beside === '' ? '' : ` (${beside})`}: ${typed}`;
  return `${sentence} (${[typed, beside].filter(Boolean).join('; ')}).`;
}

function flagText({ option, optionValue }: OptionAdvice): string {
  if (option === undefined) return '';
  const row = rowFor(option);
  const flag = longFlag(row);
  if (optionValue !== undefined) return `${flag} ${valueText(row, optionValue)}`;
  const variable = variableOf(row);
  return variable === undefined ? flag : `${flag} or ${variable}`;
}

const valueText = ({ kind }: OptionRow, value: string): string =>
  kind === timeSpan ? durationWord(Number(value)) : value;

export const isLimit = (option: OptionName | undefined): option is OptionName =>
  option !== undefined && rowFor(option).isLimit === true;

/** The options that a resume needs: the limit that was reached is raised as the pause advises. */
export const toGoOn = <Given extends object>(
  options: Given,
  { option, optionValue }: OptionAdvice,
): Given =>
  isLimit(option) && optionValue !== undefined
    ? withOptionValue(options, option, Number(optionValue))
    : options;

/** The options that the model's API ignores, one sentence each. */
export const ignoredText = (
  { model, ignores = [] }: Pick<OpenedModel, 'model' | 'ignores'>,
  isGiven: (setting: ModelSetting) => boolean,
): readonly string[] =>
  ignores
    .filter(isGiven)
    .map((setting) => `${model} does not support --${setting}; it is ignored.`);

/** A notice about an option, with the flag as it is typed. */
export const withFlag = (event: RunEvent): RunEvent =>
  event.type === 'notice' && event.option !== undefined
    ? { ...event, text: nextStepText({ hint: event.text, option: event.option }, USUAL_NAME) }
    : event;
