/** A single request to a model: no tools are run and nothing is retried. */

import { notify } from '../../lib/callback.ts';
import { defined } from '../../lib/defined.ts';
import { misuse } from '../../lib/errors.ts';
import { ownSignal } from '../../lib/own-signal.ts';
import { ProviderError } from '../../llm/provider.ts';
import type { Deadlines } from '../../llm/turn/deadlines.ts';
import { takeTurn } from '../../llm/turn/take-turn.ts';
import type { Machine } from '../../run/machine.ts';
import type { KnownNames } from '../../run/start/common-options.ts';
import type { Message } from '../../schema/model/messages.ts';
import { type ModelEvent, NO_USAGE, type ToolDefinition } from '../../schema/model/turn.ts';
import { checkQuery, wrong } from './checked-call.ts';
import { type ModelOptions, openForCall } from './open-model.ts';
import { machineOf } from './place.ts';
import { type PublicTurnResult, publicTurn } from './public-turn.ts';

/** One request: a model, messages, and limits. */
export interface TurnRequest extends Pick<ModelOptions, 'provider' | 'model' | 'providers'> {
  readonly messages: readonly Message[];
  /** What the model may call; nothing is called. */
  readonly tools?: readonly ToolDefinition[];
  /** Left out: the model's own. */
  readonly temperature?: number;
  /** Tokens of the longest answer; 4,096. */
  readonly maxOutputTokens?: number;
  /** Tokens of prompt and answer together; left out: the model's own, else 8,192. */
  readonly contextWindow?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  readonly deadlines?: Partial<Deadlines>;
  /** Gets everything as it arrives. */
  readonly onEvent?: (event: ModelEvent) => void;
  /** Left out: this process's own. */
  readonly machine?: Machine;
}

const KNOWN: KnownNames<TurnRequest> = {
  provider: true,
  model: true,
  providers: true,
  messages: true,
  tools: true,
  temperature: true,
  maxOutputTokens: true,
  contextWindow: true,
  seed: true,
  signal: true,
  deadlines: true,
  onEvent: true,
  machine: true,
};

const LONGEST_ANSWER = 4_096;
const USUAL_WINDOW = 8_192;

/**
 * Asks once. However it ends, it resolves; it rejects with a `TardigradeError` (E_USAGE) if no model or no message is
 * given.
 */
export async function executeTurn(request: TurnRequest): Promise<PublicTurnResult> {
  checkQuery('executeTurn', request, KNOWN);
  const { messages } = request;
  const signal = ownSignal(request.signal);
  if (!Array.isArray(messages) || messages.length === 0)
    throw misuse('There are no messages.', 'Give at least one.');
  if (!messages.every((one) => typeof one?.role === 'string'))
    throw wrong('messages', 'a list of messages, each with its role');
  const machine = machineOf(defined({ machine: request.machine }));
  const { clock } = machine;
  const began = clock.monotonic();
  const elapsed = (): number => Math.round(clock.monotonic() - began);
  const { provider, model, providers } = request;
  const selection = defined({ provider, model, providers });
  try {
    const opened = await openForCall(selection, null, { workspace: '.', machine, signal });
    try {
      const window = request.contextWindow ?? (await windowOf(opened, signal));
      const { deadlines } = request;
      const onEvent = notify(request.onEvent, () => {});
      const asked = { ...bodyOf(request, opened.model), contextWindow: window };
      const options = { signal, clock, ...defined({ deadlines, onEvent }) };
      return publicTurn(await takeTurn(opened.provider, asked, options), elapsed());
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { status, message: detail, hint } = error;
    const message = { role: 'assistant', content: '' } as const;
    const failed = { status, detail, hint, message, rawReason: '', usage: NO_USAGE };
    return publicTurn(failed, elapsed());
  }
}

type Opened = Awaited<ReturnType<typeof openForCall>>;

const windowOf = async ({ provider, model }: Opened, signal: AbortSignal): Promise<number> =>
  (await provider.describe(model, signal)).contextWindow ?? USUAL_WINDOW;

function bodyOf(
  { messages, tools = [], temperature, maxOutputTokens, seed = 0 }: TurnRequest,
  model: string,
) {
  return {
    model,
    messages,
    seed,
    temperature: temperature ?? null,
    ...(tools.length === 0 ? {} : { tools }),
    maxOutputTokens: maxOutputTokens ?? LONGEST_ANSWER,
  };
}
