import { isDeepStrictEqual } from 'node:util';
import type { ModelChoice } from '../../host/engine-port.ts';
import { firstChoices } from '../../host/models/first-choices.ts';
import type { OpenedModel } from '../../host/providers/provider-row.ts';
import { EMBEDDED_PROVIDER, rowOf } from '../../host/providers/providers.ts';
import { defined } from '../../lib/defined.ts';
import { orOnRefusal, TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { firstOf } from '../../lib/text/shortened.ts';
import { ProviderError } from '../../llm/provider.ts';
import { instructionsIn } from '../../run/start/instruction-files.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandContext } from '../command-context.ts';
import { nextStepText } from '../command-line/option-flags.ts';
import { choiceOf } from '../commands/run-model.ts';
import { isNobodysChoice } from '../first-start/choose-first.ts';
import { firstWaysOf, mustAsk } from '../first-start/ways.ts';
import { promptSize } from '../prompt-size.ts';
import { count } from '../render/text/text.ts';
import { type Finding, fail, okFinding, type StartKind, warn } from './finding.ts';

const LISTED = 8;
const SMALL_WINDOW = 4096;
const OTHER_MODEL = 'Choose another model with --model';

/** Checks the model that the next start would ask and, if a paused run has another model, that one, too. */
export async function* lookAtModel(
  context: CommandContext,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const paused = readQuietly(context);
  const [ofGoal, ofResume] = [choiceOrError(context, null), choiceOrError(context, paused)];
  if (paused === null || paused.ended !== null || isDeepStrictEqual(ofGoal, ofResume))
    yield* lookAtOne(context, ofGoal, signal);
  else {
    for await (const one of lookAtOne(context, ofGoal, signal)) yield about('goal', one);
    for await (const one of lookAtOne(context, ofResume, signal)) yield about('resume', one);
  }
  yield* lookAtChoice(context, ofGoal, signal);
  yield lookAtPrompt(context);
  yield await embedded(context);
}

const FOR: { readonly [S in StartKind]: string } = { goal: 'for a new goal', resume: 'to resume' };

const about = (start: StartKind, finding: Finding): Finding => ({
  ...finding,
  detail: finding.name === 'model' ? `${finding.detail} (${FOR[start]})` : finding.detail,
  of: start,
});

type Choice = ModelChoice | TardigradeError;

/** Returns an error as a value, so that two starts that fail alike are reported once. */
const choiceOrError = (context: CommandContext, current: RunState | null): Choice =>
  orOnRefusal(
    () => choiceOf(context, null, current),
    (error) => error,
  );

/** If no model is chosen: what the next start at a terminal would ask. */
async function* lookAtChoice(
  { invocation, terminal, configured }: CommandContext,
  choice: Choice,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  if (choice instanceof TardigradeError) return;
  if (!isNobodysChoice(choice, { invocation, terminal })) return;
  const accounts = configured.settings?.config.accounts;
  const found = await firstChoices({ ...terminal, ...defined({ accounts }) }, signal);
  if (!mustAsk(found)) return;
  const ways = firstWaysOf(found, configured.begin.ignoreSettings !== true).map(({ text }) => text);
  const asks = `the next start at a terminal asks: ${ways.join(' · ')}`;
  yield warn(
    'choice',
    'no model is chosen',
    `Choose one with --model, or in your settings; ${asks}`,
  );
}

/** Checks the provider, its models, and what the chosen model can do. */
async function* lookAtOne(
  { engine, invocation, terminal }: CommandContext,
  choice: Choice,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  let opened: OpenedModel | null = null;
  try {
    if (choice instanceof TardigradeError) throw choice;
    const { host = null } = invocation;
    const baseUrl = invocation.baseUrl ?? choice.baseUrl ?? null;
    opened = await engine.openModel({ choice, host, baseUrl, report: null, signal });
    const { provider, model, where } = opened;
    const { notice } = opened;
    const models = await provider.list(signal);
    // If the model cannot even be described, nothing is reported as ok.
    const listing = listed(models, choice.provider, terminal.program);
    const info = listing.verdict === 'fail' ? null : await provider.describe(model, signal);
    yield okFinding(provider.name, takesFile(choice.provider) ? where : `answers at ${where}`);
    yield listing;
    if (info === null) return;
    yield notice === '' ? okFinding('model', model) : warn('model', model, notice);
    yield info.capabilities.tools
      ? okFinding('tools', 'the model takes native tool calls')
      : warn('tools', 'no native tool calls', 'Nothing to do: JSON actions are used instead');
    yield judgeWindow(info.contextWindow);
  } catch (error) {
    yield modelFailure(error, terminal.program);
  } finally {
    await opened?.provider.close();
  }
}

const takesFile = (provider: string): boolean => {
  const row = rowOf(provider);
  return row.kind !== 'hosted' && row.file !== undefined;
};

function lookAtPrompt({ configured }: CommandContext): Finding {
  const { workspace, instructions = true } = configured.begin;
  const files = instructionsIn(nodeFileSystem, workspace, instructions);
  const [native, json] = [promptSize('native', files), promptSize('json', files)];
  const builtIn = `about ${count(native.builtIn)} tokens with the tools that a model calls`;
  const led = json.project === native.project ? '' : ` (${count(json.project)} in json mode)`;
  const adds = `${count(native.project)}${led}`;
  return okFinding('prompt', `${builtIn}; this project adds ${adds}`);
}

/** The run whose model would be asked. Another finding reports a damaged or foreign run. */
function readQuietly({ engine, invocation }: CommandContext): RunState | null {
  const belief = orNull(() => engine.beliefIn(invocation.workspace));
  return belief?.kind === 'own' ? belief.state : null;
}

function listed(models: readonly string[], provider: string, agent: string): Finding {
  if (models.length === 0) {
    const row = rowOf(provider);
    const firstModel = row.kind === 'local' ? row.firstModel : undefined;
    if (firstModel === undefined) return okFinding('models', 'the server does not list its models');
    return fail('models', 'none is installed', nextStepText(firstModel, agent));
  }
  return okFinding('models', firstOf(models, LISTED));
}

export function judgeWindow(tokens: number | null): Finding {
  if (tokens === null) return warn('window', 'unknown', 'It is measured at the first turn');
  const detail = `${count(tokens)} tokens`;
  if (tokens >= SMALL_WINDOW) return okFinding('window', detail);
  return warn('window', detail, 'Long goals will not fit; choose a model with a larger window');
}

function modelFailure(error: unknown, agent: string): Finding {
  if (error instanceof ProviderError || error instanceof TardigradeError)
    return fail('model', error.message, nextStepText(error, agent) || OTHER_MODEL);
  const message = error instanceof Error ? error.message : String(error);
  return fail('model', message, OTHER_MODEL);
}

async function embedded({ engine, terminal: { program } }: CommandContext): Promise<Finding> {
  const status = await engine.embeddedStatus();
  const name = EMBEDDED_PROVIDER;
  if (status.installed) return okFinding(name, `version ${status.version} in ${status.where}`);
  return okFinding(name, `not installed (optional): ${program} setup ${name}`);
}
