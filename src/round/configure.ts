/** The settings of a run: chosen once, kept over resumes, every change journalled with its reason. */
import { chooseContextWindow } from '../llm/choose-model.ts';
import type { ModelInfo } from '../llm/provider.ts';
import { systemPrompt } from '../prompts/system.ts';
import { TardigradeError } from '../schema/errors.ts';
import type { RecordOf, ToolMode } from '../schema/records.ts';
import type { Run } from './run.ts';

type Settings = Omit<RecordOf<'settings_changed'>, 'type' | 'why'>;

export interface SettingsWish {
  readonly provider: string;
  readonly info: ModelInfo;
  readonly toolMode: 'auto' | ToolMode;
  readonly temperature: number;
  /** `null`: 0, which means: by goal, turn and attempt alone. */
  readonly seed: number | null;
}

/** Records the settings when they are new or differ from those in effect. */
export function configure(run: Run, wish: SettingsWish): void {
  const { context } = run;
  const before = context.state.settings;
  const choice = before && wish.toolMode === 'auto' ? kept(before) : chooseMode(wish);
  const isSameModel = before?.model === wish.info.model && before.provider === wish.provider;
  const settings: Settings = {
    provider: wish.provider,
    model: wish.info.model,
    digest: wish.info.digest,
    mode: choice.mode,
    numCtx: isSameModel ? before.numCtx : chooseContextWindow(wish.info).tokens,
    temperature: wish.temperature,
    seed: wish.seed ?? before?.seed ?? 0,
    isModeFree: choice.isModeFree,
    systemPrompt:
      before && before.mode === choice.mode
        ? before.systemPrompt
        : systemPrompt(choice.mode, run.notes),
    tools: run.tools.map((tool) => tool.name),
  };
  if (before && isSame(before, settings)) return;
  const why = before && !isSameModel ? `another model was asked for; ${choice.why}` : choice.why;
  context.record({ type: 'settings_changed', ...settings, why });
}

interface ModeChoice {
  readonly mode: ToolMode;
  readonly isModeFree: boolean;
  readonly why: string;
}

const kept = (before: Settings): ModeChoice => ({
  mode: before.mode,
  isModeFree: before.isModeFree,
  why: 'as before',
});

/** By capability at the start; what the model then really does may move the run to json. */
function chooseMode({ toolMode, info }: SettingsWish): ModeChoice {
  if (toolMode === 'native' && !info.capabilities.tools)
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
