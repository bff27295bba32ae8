import type { OpenedModel } from '../../host/engine-port.ts';
import { PROVIDER_NAMES, rowOf } from '../../host/providers/providers.ts';
import { adviceIn, type NextStep, type OptionAdvice, type OptionName } from '../../lib/errors.ts';
import { durationWord } from '../../lib/text/duration.ts';
import type { Setting } from '../../llm/provider.ts';
import { duration } from '../../options/kinds.ts';
import { withOptionValue } from '../../options/option-values.ts';
import type { OptionRow } from '../../options/row.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import { USUAL_NAME } from '../process/program-name.ts';

/** Pure: what the options of a call are called on the command line. */
export const rowFor = (option: OptionName): OptionRow => OPTIONS[option];

/** Where an option may also be given; which provider a model or an address is of is another question. */
function variableOf({ variable }: OptionRow): string | undefined {
  if (typeof variable !== 'object') return variable;
  if (variable.ofProvider !== 'hostVariable') return undefined;
  const rows = PROVIDER_NAMES.map(rowOf);
  return rows.flatMap((row) => (row.kind === 'local' ? (row.hostVariable ?? []) : []))[0];
}

/**
 * The next step, and at its end what is typed: the command behind a colon, or in brackets where the sentence has
 * ended; the flag it is about in brackets, or as the command's next word.
 *
 * @param agent what the program is called here
 */
export function nextStepText({ hint, ...advice }: NextStep, agent: string): string {
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
  kind === duration ? durationWord(Number(value)) : value;

/** Of a limit that was reached. */
export const isLimit = (option: OptionName | undefined): option is OptionName =>
  option !== undefined && rowFor(option).group === 'limits';

/** What a resume needs to get anywhere: the limit that was reached is as the pause advises. */
export const toGoOn = <Given extends object>(
  given: Given,
  { option, optionValue }: OptionAdvice,
): Given =>
  isLimit(option) && optionValue !== undefined
    ? withOptionValue(given, option, Number(optionValue))
    : given;

/** What is said when a model is opened, with the flag it is about. */
export const noticeText = ({
  notice,
  noticeOption,
}: Pick<OpenedModel, 'notice' | 'noticeOption'>) =>
  nextStepText({ hint: notice, ...adviceIn({ option: noticeOption }) }, USUAL_NAME);

/** What the model's API does not take of what was given, one sentence each. */
export const ignoredText = (
  { model, ignores = [] }: Pick<OpenedModel, 'model' | 'ignores'>,
  isGiven: (setting: Setting) => boolean,
): readonly string[] =>
  ignores
    .filter(isGiven)
    .map((setting) => `${model} does not support --${setting}; it is ignored.`);

/** A notice about an option, with the flag as it is typed. */
export const withFlag = (event: RunEvent): RunEvent =>
  event.type === 'notice' && event.option !== undefined
    ? { ...event, text: nextStepText({ hint: event.text, option: event.option }, USUAL_NAME) }
    : event;
