import type { OpenedModel } from '../host/engine-port.ts';
import { durationWord } from '../lib/duration.ts';
import { adviceIn, type NextStep, type OptionAdvice, type OptionName } from '../lib/errors.ts';
import type { Setting } from '../llm/provider.ts';
import type { RunEvent } from '../schema/events.ts';

/** Pure: what the options of a call are called on the command line. */
export const FLAGS: { readonly [Name in OptionName]: string } = {
  workspace: '--workspace',
  host: '--host',
  baseUrl: '--base-url',
  model: '--model',
  toolMode: '--tool-mode',
  forceUnlock: '--force-unlock',
  again: '--again',
  contextWindow: '--context',
  maxTokens: '--max-tokens',
  maxCost: '--max-cost',
  maxTimeMs: '--max-time',
  record: '--record',
  sandbox: '--sandbox',
  refreshTools: '--refresh-tools',
};

/** Where an option may also be given. */
const VARIABLES: { readonly [Name in OptionName]?: string } = { host: 'OLLAMA_HOST' };

/** The next step, and at its end the flag it is about, as it is typed: a command takes it as its next word. */
export function nextStepText({ hint, ...advice }: NextStep): string {
  const flag = flagText(advice);
  if (hint === '' || flag === '') return hint;
  if (advice.endsInCommand) return `${hint} ${flag}`;
  const [, sentence = '', stop = ''] = /^(.*?)(\.?)$/s.exec(hint) ?? [];
  return `${sentence} (${flag})${stop}`;
}

function flagText({ option, optionValue }: OptionAdvice): string {
  if (option === undefined) return '';
  if (optionValue !== undefined) return `${FLAGS[option]} ${valueText(option, optionValue)}`;
  const variable = VARIABLES[option];
  return variable === undefined ? FLAGS[option] : `${FLAGS[option]} or ${variable}`;
}

const valueText = (option: OptionName, value: string): string =>
  option === 'maxTimeMs' ? durationWord(Number(value)) : value;

/** What is said when a model is opened, with the flag it is about. */
export const noticeText = ({
  notice,
  noticeOption,
}: Pick<OpenedModel, 'notice' | 'noticeOption'>) =>
  nextStepText({ hint: notice, ...adviceIn({ option: noticeOption }) });

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
    ? { ...event, text: nextStepText({ hint: event.text, option: event.option }) }
    : event;
