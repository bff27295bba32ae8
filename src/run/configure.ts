/** The settings of a run: chosen once, kept over resumes, every change journalled with its reason. */
import { driverMeantBy, driverOf, driverSuiting } from '../drivers/driver-of.ts';
import { TardigradeError } from '../lib/errors.ts';
import { chooseContextWindow } from '../llm/models/choose-model.ts';
import type { Run } from '../round/run.ts';
import { type DriverName, traitsOf } from '../schema/driver.ts';
import type { RecordOf } from '../schema/records.ts';
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
  const choice = before && canKeepDriver(before, wish) ? kept(before) : chooseDriver(wish);
  const isSameModel = before?.model === info.model && before.provider === provider;
  const settings: Settings = {
    provider,
    model: info.model,
    digest: info.digest,
    driver: choice.driver,
    numCtx:
      isSameModel && candidate.contextWindow === undefined
        ? before.numCtx
        : chooseContextWindow(info, candidate.contextWindow).tokens,
    temperature: wish.temperature,
    seed: wish.seed ?? before?.seed ?? 0,
    mayChangeDriver: choice.mayChangeDriver,
    systemPrompt:
      before && before.driver === choice.driver
        ? before.systemPrompt
        : driverOf(choice).systemPrompt(run.notes, run.names),
    tools: before?.tools ?? JSON.stringify(run.definitions),
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

interface DriverChoice {
  readonly driver: DriverName;
  readonly mayChangeDriver: boolean;
  readonly why: string;
}

/** A model that cannot call tools is never asked to, whoever was asked before. */
const canKeepDriver = (before: Settings, { toolMode, info }: Wish): boolean =>
  toolMode === 'auto' && (!traitsOf(before).callsTools || info.capabilities.tools);

const kept = ({ driver, mayChangeDriver }: Settings): DriverChoice => ({
  driver,
  mayChangeDriver,
  why: 'as before',
});

/** By capability at the start; what the model then really does may move the run to the guided one. */
function chooseDriver({ toolMode: wished, candidate, info }: Wish): DriverChoice {
  const toolMode = wished === 'auto' ? (candidate.mode ?? wished) : wished;
  const { tools } = info.capabilities;
  if (toolMode === 'auto')
    return {
      driver: driverSuiting(tools).name,
      mayChangeDriver: tools,
      why: tools ? `${info.model} says it can call tools` : `${info.model} cannot call tools`,
    };
  const { name: driver } = driverMeantBy(toolMode);
  if (traitsOf({ driver }).callsTools && !tools)
    throw new TardigradeError(
      'E_USAGE',
      `${info.model} cannot call tools.`,
      'Leave the tool mode out, or let the model answer in JSON.',
      { option: 'toolMode', optionValue: 'json' },
    );
  return { driver, mayChangeDriver: false, why: 'asked for' };
}

const isSame = (before: Settings, after: Settings): boolean =>
  (Object.keys(after) as (keyof Settings)[]).every(
    (key) => JSON.stringify(before[key]) === JSON.stringify(after[key]),
  );
