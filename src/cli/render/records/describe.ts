import { PROVIDER_NAMES, rowOf } from '../../../host/providers/providers.ts';
import type { Usage } from '../../../schema/model/turn.ts';
import type { Subtask } from '../../../schema/plan.ts';
import type { RecordOf, Stamped } from '../../../schema/records.ts';
import { describeCheck } from '../../../shown/checks.ts';
import { tokensText } from '../../../shown/costs.ts';
import { trialWords } from '../../../shown/trials.ts';
import { duration, oneLine } from '../text/text.ts';

/** Pure: one journal record as it is on disk, in one line, without its number, time and type. */
export function rawRecord(
  { seq: _seq, ts: _ts, type: _type, ...fields }: Stamped,
  most = Number.POSITIVE_INFINITY,
): string {
  return oneLine(JSON.stringify(fields).slice(0, most));
}

/** `812 tokens in, 96 out, 2.4 s`. */
export const describeUsage = (usage: Usage): string =>
  `${tokensText(usage)}, ${duration(usage.modelMs)}`;

/** ` (ANTHROPIC_API_KEY_2)`; '' if there is only one profile for the model. */
export const profileText = (profile: string | undefined): string =>
  profile === undefined || profile === 'default' ? '' : ` (${oneLine(profile)})`;

/** `write hello.js` for a step of the tool `write_file`. */
export function describeStep({ step, purpose }: Pick<Subtask, 'step' | 'purpose'>): string {
  if (!step) return oneLine(purpose);
  const [verb = step.action] = step.action.split('_', 1);
  return `${oneLine(verb)} ${oneLine(step.target)}`;
}

/** `qwen3:8b · ollama · 16k`. */
export function modelLine(record: RecordOf<'settings_changed'>): string {
  const window = `${Math.round(record.numCtx / 1024)}k`;
  const profile = profileText(record.profile);
  const [model, provider] = [modelName(record.model), spelled(oneLine(record.provider))];
  return `${model} \u00b7 ${provider}${profile} \u00b7 ${window}`;
}

const spelled = (provider: string): string =>
  PROVIDER_NAMES.map((name) => rowOf(name).label).find(
    (label) => label.toLowerCase() === provider,
  ) ?? provider;

/** For a model that is a file, the name of the file is enough. */
const modelName = (model: string): string =>
  oneLine(model.split(/[\\/](?=[^\\/]*\.gguf$)/).at(-1) ?? model);

/** How the copy differed, and how the check ended: in a copy, a failure may be the hoped-for result. */
export function scratchText({ check, passed, scratch }: RecordOf<'check_ran'>): string {
  const how = scratch ? oneLine(trialWords(scratch)) : '';
  const ran = 'cmd' in check ? oneLine(check.cmd) : describeCheck(check);
  return `${how}: ${ran} ${passed ? 'passes' : 'fails'}`;
}
