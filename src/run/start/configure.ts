/** The settings of a run: chosen once, kept over resumes, every change journalled with its reason. */
import { chooseDriver, type ModelKnowledge, windowFor } from '../../drivers/choose-driver.ts';
import { driverForMode, driverNamed, driverOf } from '../../drivers/driver-of.ts';
import { defined } from '../../lib/defined.ts';
import { misuse } from '../../lib/errors.ts';
import type { InstructionText } from '../../prompts/instructions.ts';
import { hasSameTools } from '../../round/model/known-tools.ts';
import { knowledgeOf } from '../../round/model/learn.ts';
import {
  instructionRoom,
  systemPromptAgain,
  systemPromptOf,
  withinWindow,
} from '../../round/model/system-prompt.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import { type DriverName, driverNameOf } from '../../schema/driver.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { RunRequest } from '../options.ts';
import { offeredAnew } from '../servers/offered-tools.ts';
import type { ChosenModel } from './choose-model.ts';
import { reportCuts } from './instruction-files.ts';

type SettingsChange = Omit<RecordOf<'settings_changed'>, 'type' | 'why'>;

/** What determines the driver. */
export type DriverFactors = Pick<ChosenModel, 'candidate' | 'info'> &
  Pick<RunRequest, 'toolMode'> & { readonly known: ModelKnowledge };

type ModelSettings = DriverFactors &
  Pick<ChosenModel, 'why'> &
  Pick<RunRequest, 'temperature' | 'seed' | 'effort' | 'maxToolResultChars'>;

/** Records the settings when they are new or differ from those in effect. */
export function recordSettings(
  run: RunPorts,
  model: ChosenModel,
  request: RunRequest,
  instructions: readonly InstructionText[] = [],
): void {
  const { context } = run;
  const { candidate, info, failover } = model;
  const known = knowledgeOf(run.lessons, candidate, info);
  const options = { ...model, ...request, known };
  const before = context.state.settings;
  const provider = candidate.provider.name;
  const isSameModel = before?.model === info.model && before.provider === provider;
  const choice =
    before && mayKeepDriver(before, options, isSameModel) ? kept(before) : leading(options, run);
  // The server may have adjusted a requested window; its value stays until a different window is requested.
  const askedWindow = candidate.contextWindow;
  const isAskedBefore = askedWindow === undefined || askedWindow === before?.askedWindow;
  const numCtx = isSameModel && isAskedBefore ? before.numCtx : windowFor(choice.driver, known);
  const isKept = hasSameTools(run, choice.driver);
  const prompt = promptFor(run, before, { driver: choice.driver, numCtx, isKept }, instructions);
  const settings: SettingsChange = {
    provider,
    model: info.model,
    digest: info.digest,
    driver: choice.driver,
    numCtx,
    ...defined({ askedWindow }),
    temperature: options.temperature,
    seed: options.seed ?? before?.seed ?? 0,
    ...defined({
      effort: options.effort ?? before?.effort,
      maxToolResultChars: options.maxToolResultChars ?? before?.maxToolResultChars,
    }),
    mayChangeDriver: choice.mayChangeDriver,
    ...prompt,
    tools: toolsFor(run, before, { driver: choice.driver, numCtx, isKept }, request),
    ...(failover.candidates.length > 1 || before?.profile !== undefined
      ? { profile: candidate.profile }
      : {}),
    ...(candidate.baseUrl === undefined ? {} : { baseUrl: candidate.baseUrl }),
    ...(info.price ? { price: info.price } : {}),
    ...defined({ modelRole: before === null ? roleAtFirst(model) : before.modelRole }),
  };
  if (before && isSame(before, settings) && before.baseUrl === settings.baseUrl) return;
  const isOther = before !== null && !isSameModel && options.why === '';
  const isByName = info.isWindowByName === true && candidate.contextWindow === undefined;
  const reasons = [
    options.why,
    isOther ? 'another model was asked for' : '',
    choice.why,
    before !== null && request.refreshTools ? 'the tools of servers are told as they are now' : '',
    isByName ? 'the window is taken from its name, since the server does not tell it' : '',
  ];
  context.record({
    type: 'settings_changed',
    ...settings,
    why: reasons.filter(Boolean).join('; '),
  });
}

/** The driver must suit the model that will work on the plan, so that model is considered, not the planner. */
function leading(
  options: ModelSettings & Pick<ChosenModel, 'works'>,
  { lessons }: RunPorts,
): DriverChoice {
  const { works, info } = options;
  if (works === undefined) return driverChosen(options);
  const known = knowledgeOf(lessons, works.candidate, works.info);
  const choice = driverChosen({ ...options, ...works, known });
  if (!driverNamed(choice.driver).callsTools || info.capabilities.tools) return choice;
  throw misuse(
    `${info.model} cannot call tools, so it cannot plan for a model that does.`,
    'Name another model to plan, or let the one that works answer in JSON.',
    { option: 'toolMode', optionValue: 'json' },
  );
}

const roleAtFirst = ({ works }: ChosenModel) => (works === undefined ? undefined : 'plan');

/**
 * Instruction files are read once: a resumed run uses those that it began with.
 * @param isKept its tools are unchanged
 */
function promptFor(
  run: RunPorts,
  before: SettingsChange | null,
  now: Pick<SettingsChange, 'driver' | 'numCtx'> & { readonly isKept: boolean },
  instructions: readonly InstructionText[],
): Pick<SettingsChange, 'systemPrompt' | 'instructions'> {
  const { isKept, ...settings } = now;
  if (before === null) {
    reportCuts(instructions, instructionRoom(settings, settings.numCtx), (event) =>
      run.emit(event),
    );
    return systemPromptOf(run, settings, instructions);
  }
  const known = defined({ instructions: before.instructions });
  if (!isKept) return systemPromptAgain(run, { ...settings, ...known });
  return { ...known, ...withinWindow(run, { ...before, numCtx: now.numCtx }) };
}

/** A resumed run describes the same tools with the same words, except server tools that someone asked to refresh. */
function toolsFor(
  run: RunPorts,
  before: SettingsChange | null,
  {
    driver,
    numCtx,
    isKept,
  }: Pick<DriverChoice, 'driver'> & Pick<SettingsChange, 'numCtx'> & { readonly isKept: boolean },
  { refreshTools }: Pick<RunRequest, 'refreshTools'>,
): SettingsChange['tools'] {
  const { callsTools, definitions } = driverNamed(driver);
  if (!isKept) return JSON.stringify(definitions(run.tools, numCtx));
  const offered = JSON.stringify(run.definitions);
  if (refreshTools && callsTools) {
    const now = JSON.stringify(offeredAnew(run.definitions, run.tools));
    if (now !== offered) return now;
  }
  return before?.tools ?? offered;
}

interface DriverChoice {
  readonly driver: DriverName;
  readonly mayChangeDriver: boolean;
  readonly why: string;
}

/**
 * A driver that calls tools is dropped when the model cannot call them. A different model must suit the driver
 * that was chosen before.
 */
function mayKeepDriver(
  before: SettingsChange,
  request: ModelSettings,
  isSameModel: boolean,
): boolean {
  const { toolMode, info, known } = request;
  if (toolMode !== 'auto') return false;
  if (!driverOf(before).callsTools) return true;
  if (isSameModel || !before.mayChangeDriver) return info.capabilities.tools;
  return chooseDriver(known).name === before.driver;
}

const kept = (before: SettingsChange): DriverChoice => ({
  driver: driverNameOf(before),
  mayChangeDriver: before.mayChangeDriver,
  why: '',
});

/** The choice may change later when the model behaves differently, unless a person made it. */
export function driverChosen({
  toolMode: requested,
  candidate,
  info,
  known,
}: DriverFactors): DriverChoice {
  const toolMode = requested === 'auto' ? (candidate.mode ?? requested) : requested;
  if (toolMode === 'auto') {
    const { name, mayChange, why } = chooseDriver(known);
    return { driver: name, mayChangeDriver: mayChange, why };
  }
  const { name: driver, callsTools } = driverForMode(toolMode);
  if (callsTools && !info.capabilities.tools)
    throw misuse(
      `${info.model} cannot call tools.`,
      'Leave the tool mode out, or let the model answer in JSON.',
      { option: 'toolMode', optionValue: 'json' },
    );
  return { driver, mayChangeDriver: false, why: `${driver}: asked for` };
}

/** Compares only the keys of `after`. */
export const isSame = (before: SettingsChange, after: SettingsChange): boolean =>
  (Object.keys(after) as (keyof SettingsChange)[]).every(
    (key) => JSON.stringify(before[key]) === JSON.stringify(after[key]),
  );
