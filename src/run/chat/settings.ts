/** The settings of a conversation: chosen when it begins, kept over resumes, every change journalled. */

import { chatPrompt, instructionRoom } from '../../drivers/chat/prompt.ts';
import { windowFor } from '../../drivers/choose-driver.ts';
import { defined } from '../../lib/defined.ts';
import { type Candidate, nameOf } from '../../llm/failover/candidate.ts';
import type { Lesson } from '../../llm/models/lessons.ts';
import type { ModelInfo } from '../../llm/provider.ts';
import type { InstructionText } from '../../prompts/instructions.ts';
import type { ConversationPorts } from '../../round/chat/conversation.ts';
import { knowledgeOf } from '../../round/model/learn.ts';
import { traitsOf } from '../../schema/driver.ts';
import type { RecordOf } from '../../schema/records.ts';
import { settingsOf } from '../../steps/select.ts';
import { constrainedDefinitions, definitionsAlone } from '../../tools/registry.ts';
import type { RunRequest } from '../options.ts';
import { type DriverFactors, driverChosen, isSame } from '../start/configure.ts';
import { instructionsIn, reportCuts } from '../start/instruction-files.ts';

/** What a program can set for the model of a conversation. */
export interface ConversationModelSettings {
  /** The settings that it shares with a run. */
  readonly run: RunRequest;
  readonly temperature: number | null;
  /** Replaces the first section of the system prompt. */
  readonly system: string | null;
  /** Replaces the whole system prompt. */
  readonly systemPrompt: string | null;
}

type RequestedSettings = Omit<ConversationPorts, 'reconfigure'> & {
  readonly request: ConversationModelSettings;
};

/** Switches to another candidate; `info` is `null` when the model stays the same. */
export function reconfigure(
  live: RequestedSettings,
  candidate: Candidate,
  info: ModelInfo | null,
  why: string,
): void {
  if (info !== null) {
    recordChatSettings(live, candidate, info, why);
    return;
  }
  const { context } = live;
  const { baseUrl: _before, ...before } = settingsOf(context.state);
  const { profile, baseUrl } = candidate;
  context.record({ type: 'settings_changed', ...before, profile, ...defined({ baseUrl }), why });
}

type SettingsChange = Omit<RecordOf<'settings_changed'>, 'type' | 'why' | 'mac'>;

/**
 * Records the settings if they are new or the model changed. If a conversation continues with the same model
 * after something was said, the start of the prompt stays unchanged, so that the next request only grows.
 */
export function recordChatSettings(
  live: RequestedSettings,
  candidate: Candidate,
  info: ModelInfo,
  why: string,
): void {
  const { context } = live;
  const before = context.state.settings;
  const wanted = settingsFor(live, candidate, info);
  const isSameModel = before?.provider === wanted.provider && before.model === wanted.model;
  const isBegun = context.state.chat.messages > 0 || context.state.conversation.length > 0;
  const after =
    isBegun && isSameModel && before.calling === wanted.calling
      ? {
          ...wanted,
          systemPrompt: before.systemPrompt,
          tools: before.tools,
          // Images that the model refused are not sent to it again.
          ...(before.images === 'refused' && wanted.images === 'tried'
            ? { images: 'refused' as const }
            : {}),
        }
      : wanted;
  if (before !== null && isSame(before, after)) return;
  const isOther = before !== null && !isSameModel && why === '';
  context.record({
    type: 'settings_changed',
    ...after,
    why: isOther ? 'another model was asked for' : why,
  });
}

function settingsFor(
  live: RequestedSettings,
  candidate: Candidate,
  info: ModelInfo,
): SettingsChange {
  const { context, request, lessons, toolContext } = live;
  const { run, temperature, system, systemPrompt: whole } = request;
  const before = context.state.settings;
  const known = knowledgeOf(lessons, candidate, info);
  const { way, window: numCtx } = callingOf({ toolMode: run.toolMode, candidate, info, known });
  const callsTools = way === 'wire';
  const tools =
    way === 'held'
      ? constrainedDefinitions(live.tools)
      : definitionsAlone(live.tools, { callsTools, window: numCtx });
  // Without tools there is nothing to call.
  const isHeld = way === 'held' && tools.length > 0;
  const { profile } = nameOf(candidate);
  const { fs, workspace } = toolContext;
  const instructions = chatInstructionsFor(live);
  if (before === null && whole === null)
    reportCuts(instructions, instructionRoom({ callsTools, numCtx }), live.emit);
  return {
    provider: candidate.provider.name,
    model: info.model,
    digest: info.digest,
    driver: 'chat',
    calling: isHeld ? 'held' : callsTools ? 'wire' : 'text',
    numCtx,
    mayChangeDriver: false,
    seed: run.seed ?? before?.seed ?? 0,
    ...defined({
      temperature: temperature ?? before?.temperature,
      effort: run.effort ?? before?.effort,
      maxToolResultChars: run.maxToolResultChars ?? before?.maxToolResultChars,
      baseUrl: candidate.baseUrl,
      price: info.price ?? undefined,
      images: imagesFor(info, known.lesson),
    }),
    systemPrompt: chatPrompt({
      system,
      whole,
      instructions,
      tools,
      callsTools,
      isConstrained: isHeld,
      workspace,
      numCtx,
      startedAt: context.state.startedAt,
      platform: `${fs.platform} ${run.machine.arch ?? ''}`.trim(),
      model: shortName(info.model),
      files: isHeld ? live.world.listed(MAX_FILES, '') : [],
    }),
    tools: JSON.stringify(tools),
    ...(live.failover.candidates.length > 1 ? { profile } : {}),
  };
}

/** Files of the project that a conversation begins with. */
export const chatInstructionsFor = ({
  request: { run },
  toolContext: { fs, workspace },
  policy,
}: Pick<RequestedSettings, 'request' | 'toolContext' | 'policy'>): readonly InstructionText[] =>
  instructionsIn(fs, workspace, run.instructions)
    .filter(({ path }) => policy.mayShow(path))
    .map((file) => ({ ...file, text: run.redactor.text(file.text) }));

/** Stored experience counts only if the provider does not declare the capability. */
function imagesFor(
  { capabilities: { images } }: ModelInfo,
  lesson: Lesson | null | undefined,
): SettingsChange['images'] {
  if (images !== undefined) return images ? 'sent' : undefined;
  return lesson?.takesNoImages ? undefined : 'tried';
}

const MAX_FILES = 20;

/** For a model file, the file name is enough. */
const shortName = (model: string): string => model.split(/[\\/](?=[^\\/]*\.gguf$)/i).at(-1) ?? '';

/**
 * `wire`: tools and calls use the provider's own protocol. `held`: every answer is one JSON object that a
 * schema enforces, either words or one call. `text`: calls are written as text because no schema can be
 * enforced.
 */
interface ChosenCalling {
  readonly way: 'wire' | 'held' | 'text';
  /** In tokens. */
  readonly window: number;
}

/**
 * Chooses how a model calls tools, by the rule that chooses the driver of a run. Throws E_USAGE when native tool
 * calls are requested and the model cannot make them.
 */
function callingOf(request: DriverFactors): ChosenCalling {
  const { driver } = driverChosen(request);
  const window = windowFor(driver, request.known);
  if (traitsOf({ driver }).callsTools) return { way: 'wire', window };
  const isHeld = request.info.capabilities.schema && request.known.lesson?.leavesSchema !== true;
  return { way: isHeld ? 'held' : 'text', window };
}
