/** The model of a run: which one is meant, what is shown about its server, and what is recorded of it. */
import { resolve } from 'node:path';
import type { Engine, ModelChoice, OpenModelRequest } from '../../host/engine-port.ts';
import { modelForRun, parseModel } from '../../host/models/model-spec.ts';
import type { OpenedModel } from '../../host/providers/provider-row.ts';
import { furtherNames, rowOf } from '../../host/providers/providers.ts';
import { defined } from '../../lib/defined.ts';
import { misuse } from '../../lib/errors.ts';
import { holdsCredentials } from '../../lib/text/addresses.ts';
import type { RecordingFile } from '../../llm/recorded/recording-file.ts';
import type { RunOptionValues } from '../../options/option-values.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandContext } from '../command-context.ts';
import type { Invocation } from '../command-line/invocation.ts';
import type { Renderer } from '../render/contract.ts';

export function choiceOf(
  { invocation, configured, terminal }: CommandContext,
  goal: string | null,
  state: RunState | null,
): ModelChoice {
  const further = furtherNames(configured.settings?.config.accounts.providers);
  const { model = null, baseUrl = null } = invocation;
  const { model: usual = null, fallbacks = [], models } = configured.begin;
  const choice = modelForRun(model, goal, state, terminal.cwd, baseUrl, usual, further);
  const others = [...fallbacks, ...Object.values({ ...state?.models, ...models })].map((text) =>
    parseModel(text, terminal.cwd, null, further),
  );
  refuseOtherHost(invocation.host, choice, others);
  return choice;
}

/**
 * Refuses another server: a request that was meant for the user's own server must not go elsewhere.
 * @param others candidates that may be asked, too
 */
function refuseOtherHost(
  host: string | undefined,
  choice: ModelChoice,
  others: readonly ModelChoice[],
): void {
  const takesHost = ({ provider }: ModelChoice): boolean => {
    const row = rowOf(provider);
    return row.kind === 'local' && row.hostVariable !== undefined;
  };
  const { kind } = rowOf(choice.provider);
  if (host === undefined || kind === 'playback' || [choice, ...others].some(takesHost)) return;
  const flag = longFlag(OPTIONS.host);
  throw kind === 'hosted'
    ? misuse(`${flag} does not apply to ${choice.provider}.`, 'Leave it out, or give the address', {
        option: 'baseUrl',
      })
    : misuse(`${flag} does not apply to ${choice.provider}.`, 'Leave it out.');
}

interface Reporting {
  readonly report: (text: string) => void;
  readonly signal: AbortSignal;
  readonly before: RunState | null;
}

/** `report` gets what is shown before anything is sent. @param settled with the values from settings */
export function wantedFor(
  { invocation, configured, terminal }: CommandContext,
  choice: ModelChoice,
  settled: Invocation,
  { report, signal, before }: Reporting,
): OpenModelRequest & { readonly models: RunOptionValues['models'] & object } {
  const { host = null } = invocation;
  const baseUrl = invocation.baseUrl ?? choice.baseUrl ?? null;
  if (choice.baseUrl !== undefined && (host === null || rowOf(choice.provider).kind === 'hosted'))
    report(rememberedServer(choice, choice.baseUrl));
  if (baseUrl !== null && holdsCredentials(baseUrl)) report(notRemembered(choice));
  const further = furtherNames(configured.settings?.config.accounts.providers);
  const fallbacks = (settled.fallbacks ?? []).map((text) =>
    parseModel(text, terminal.cwd, null, further),
  );
  // A typed model is the one that works.
  const { plan, work } = before?.models ?? {
    ...settled.models,
    ...(invocation.model === undefined ? {} : { work: undefined }),
  };
  const roles = defined({ plan, work: plan === undefined ? undefined : work });
  const named = Object.entries(roles).map(
    ([role, text]) => [role, parseModel(text, terminal.cwd, null, further)] as const,
  );
  const models = Object.fromEntries(
    named.map(([role, one]) => [role, `${one.provider}/${one.model}`]),
  );
  const others = [...fallbacks, ...named.map(([, one]) => one)];
  return { choice, host, baseUrl, report, signal, models, fallbacks: others };
}

/** Keys and files are sent to this address, so it is shown beforehand. */
const rememberedServer = ({ provider }: ModelChoice, url: string): string => {
  const { flag = '' } = rowOf(provider).kind === 'hosted' ? OPTIONS.baseUrl : OPTIONS.host;
  return `This run continues with the server it began with: ${url}. To use another: ${flag}`;
};

/** The address is neither shown nor journalled, so a resume cannot read it from the journal. */
function notRemembered({ provider }: ModelChoice): string {
  const row = rowOf(provider);
  const { urlVariable, keyVariable } = row.kind === 'hosted' ? row : {};
  const ways = [
    ...(urlVariable === undefined ? [] : [`the whole address in ${urlVariable}`]),
    ...(keyVariable === undefined ? [] : [`the key in ${keyVariable}`]),
  ];
  return `The name, password or key in the address is used this time and stored nowhere. To continue later, set ${ways.join(', or ')}.`;
}

/** The model of a finished run: it is opened only when it is asked after all. */
export async function notAsked(engine: Engine, request: OpenModelRequest): Promise<OpenedModel> {
  const { provider: name, model } = request.choice;
  const { lazyProvider } = await import('../../host/models/candidates.ts');
  const open = async () => (await engine.openModel(request)).provider;
  return { provider: lazyProvider(name, open), model: model ?? name, where: name, notice: '' };
}

/** Opened before the model: an unwritable place must not cost a turn. */
export async function recordingFor(
  { invocation: { record }, terminal }: CommandContext,
  choice: ModelChoice,
  screen: Renderer,
): Promise<RecordingFile | null> {
  if (record === undefined) return null;
  const warn = (text: string): void => screen.observe({ type: 'notice', level: 'warning', text });
  const { openRecording } = await import('../../host/models/record.ts');
  return openRecording({ file: record, choice, warn }, terminal);
}

/** Recordings in the workspace, including the one that is played, are not work of the run. */
export const hiddenIn = (
  { invocation: { record }, terminal }: CommandContext,
  { provider, model }: ModelChoice,
): readonly string[] => [
  ...(record === undefined ? [] : [resolve(terminal.cwd, record)]),
  ...(rowOf(provider).kind === 'playback' && model !== null ? [model] : []),
];
