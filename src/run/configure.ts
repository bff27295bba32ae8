/** The settings of a run: chosen once, kept over resumes, every change journalled with its reason. */
import { driverOf } from '../drivers/driver-of.ts';
import { TardigradeError } from '../lib/errors.ts';
import { chooseContextWindow } from '../llm/models/choose-model.ts';
import type { Run } from '../round/run.ts';
import { traitsOf } from '../schema/driver.ts';
import type { RecordOf, ToolMode } from '../schema/records.ts';
import type { ChosenModel } from './choose-model.ts';
import type { RunRequest } from './options.ts';

type Settings = Omit<RecordOf<'settings_changed'>, 'type' | 'why'>;

type Wish = ChosenModel & Pick<RunRequest, 'toolMode' | 'temperature' | 'seed'>;

/** Records the settings when they are new or differ from those in effect. */
export function configure(run: Run, model: ChosenModel, request: RunRequest): void {
  const { context } = run;
  const wish = { ...model, ...request };
  const { candidate, info, failover } = wish;
  const before = context.state.settings;
  const provider = candidate.provider.name;
  const choice = before && canKeepMode(before, wish) ? kept(before) : chooseMode(wish);
  const isSameModel = before?.model === info.model && before.provider === provider;
  const settings: Settings = {
    provider,
    model: info.model,
    digest: info.digest,
    mode: choice.mode,
    numCtx:
      isSameModel && candidate.contextWindow === undefined
        ? before.numCtx
        : chooseContextWindow(info, candidate.contextWindow).tokens,
    temperature: wish.temperature,
    seed: wish.seed ?? before?.seed ?? 0,
    isModeFree: choice.isModeFree,
    systemPrompt:
      before && before.mode === choice.mode
        ? before.systemPrompt
        : driverOf(choice).systemPrompt(run.notes),
    tools: run.tools.map((tool) => tool.name),
    ...(failover.candidates.length > 1 ? { profile: candidate.profile } : {}),
    ...(candidate.baseUrl === undefined ? {} : { baseUrl: candidate.baseUrl }),
    ...(info.price ? { price: info.price } : {}),
  };
  if (before && isSame(before, settings) && before.baseUrl === settings.baseUrl) return;
  const isOther = before !== null && !isSameModel && wish.why === '';
  const reasons = [wish.why, isOther ? 'another model was asked for' : '', choice.why];
  context.record({
    type: 'settings_changed',
    ...settings,
    why: reasons.filter(Boolean).join('; '),
  });
}

interface ModeChoice {
  readonly mode: ToolMode;
  readonly isModeFree: boolean;
  readonly why: string;
}

/** A model that cannot call tools is never asked to, whoever was asked before. */
const canKeepMode = (before: Settings, { toolMode, info }: Wish): boolean =>
  toolMode === 'auto' && (!traitsOf(before).callsTools || info.capabilities.tools);

const kept = (before: Settings): ModeChoice => ({
  mode: before.mode,
  isModeFree: before.isModeFree,
  why: 'as before',
});

/** By capability at the start; what the model then really does may move the run to json. */
function chooseMode({ toolMode: wished, candidate, info }: Wish): ModeChoice {
  const toolMode = wished === 'auto' ? (candidate.mode ?? wished) : wished;
  const callsTools = toolMode !== 'auto' && traitsOf({ mode: toolMode }).callsTools;
  if (callsTools && !info.capabilities.tools)
    throw new TardigradeError(
      'E_USAGE',
      `${info.model} cannot call tools.`,
      'Leave --tool-mode out, or use --tool-mode json.',
    );
  if (toolMode !== 'auto') return { mode: toolMode, isModeFree: false, why: 'asked for' };
  return info.capabilities.tools
    ? { mode: 'native', isModeFree: true, why: `${info.model} says it can call tools` }
    : { mode: 'json', isModeFree: false, why: `${info.model} cannot call tools` };
}

const isSame = (before: Settings, after: Settings): boolean =>
  (Object.keys(after) as (keyof Settings)[]).every(
    (key) => JSON.stringify(before[key]) === JSON.stringify(after[key]),
  );
