import { ProviderError } from '../../llm/provider.ts';
import { TardigradeError } from '../../schema/errors.ts';
import type { CommandContext } from '../command-context.ts';
import type { OpenedModel } from '../engine-port.ts';
import { chooseModel } from '../model-spec.ts';
import { count } from '../render/text.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const LISTED = 8;
const SMALL_WINDOW = 4096;

/** The provider, its models, and what the chosen one can do. */
export async function* lookAtModel(
  context: CommandContext,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { engine, invocation, terminal } = context;
  let opened: OpenedModel | null = null;
  try {
    const current = readQuietly(context);
    const choice = chooseModel(invocation.model, null, current, terminal.cwd, invocation.baseUrl);
    const { host } = invocation;
    const baseUrl = invocation.baseUrl ?? choice.baseUrl ?? null;
    const { env } = terminal;
    opened = await engine.openModel({ choice, host, baseUrl, env, report: null, signal });
    const { provider, model, where, notice } = opened;
    const models = await provider.list(signal);
    yield ok(provider.name, `answers at ${where}`);
    yield listed(models, provider.name);
    const info = await provider.describe(model, signal);
    yield notice === '' ? ok('model', model) : warn('model', model, notice);
    yield info.capabilities.tools
      ? ok('tools', 'the model takes native tool calls')
      : warn('tools', 'no native tool calls', 'Nothing to do: JSON actions are used instead');
    yield judgeWindow(info.contextWindow);
  } catch (error) {
    yield modelFailure(error);
  } finally {
    await opened?.provider.close();
  }
  yield await embedded(context);
}

/** A damaged journal is the business of another line. */
function readQuietly({ engine, invocation }: CommandContext) {
  try {
    return engine.readRun(invocation.workspace);
  } catch {
    return null;
  }
}

function listed(models: readonly string[], provider: string): Finding {
  if (models.length === 0) {
    if (provider !== 'ollama') return ok('models', 'the server keeps no list');
    return fail('models', 'none is installed', 'Get a small one: ollama pull qwen2.5-coder:1.5b');
  }
  const more = models.length > LISTED ? ` and ${models.length - LISTED} more` : '';
  return ok('models', models.slice(0, LISTED).join(', ') + more);
}

export function judgeWindow(tokens: number | null): Finding {
  if (tokens === null) return warn('window', 'unknown', 'It is measured at the first turn');
  const detail = `${count(tokens)} tokens`;
  if (tokens >= SMALL_WINDOW) return ok('window', detail);
  return warn('window', detail, 'Long goals will not fit; choose a model with a larger window');
}

function modelFailure(error: unknown): Finding {
  if (error instanceof ProviderError || error instanceof TardigradeError) {
    return fail('model', error.message, error.hint || 'Choose another model with --model');
  }
  const message = error instanceof Error ? error.message : String(error);
  return fail('model', message, 'Choose another model with --model');
}

async function embedded({ engine }: CommandContext): Promise<Finding> {
  const status = await engine.embeddedStatus();
  if (status.installed) return ok('embedded', `version ${status.version} in ${status.where}`);
  return ok('embedded', 'not installed (optional): agent setup embedded');
}
