/**
 * A provider of the calling program, held to its contract: it may be written without types. What it throws and what it
 * gives wrongly is its failure, and no error of this program.
 */
import { failureText } from '../../lib/callback.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { type ModelInfo, type Provider, ProviderError } from '../../llm/provider.ts';
import {
  type FinishReason,
  type ModelEvent,
  TurnStatus,
  type Usage,
} from '../../schema/model/turn.ts';

const REASONS: { readonly [Reason in FinishReason]: true } = {
  ...{ stop: true, tool_calls: true, length: true, refusal: true, other: true },
};
const COUNTS: { readonly [Count in keyof Usage]: true } = {
  ...{ input: true, output: true, thinking: true },
  ...{ cacheRead: true, cacheWrite: true, modelMs: true },
};

/** Throws E_USAGE for a provider without a name. */
export function callersProvider(inner: Provider): Provider {
  const name: unknown = (inner as Provider | undefined)?.name;
  if (typeof name !== 'string' || name === '')
    throw misuse('The provider has no name.', 'Give it one: the journal keeps it.');
  return {
    name,
    async *stream(request, signal, limits) {
      try {
        for await (const event of inner.stream(request, signal, limits)) {
          const fault = faultIn(event);
          if (fault !== '') throw wrongFrom(name, fault);
          yield event;
        }
      } catch (error) {
        throw failureOf(name, error);
      }
    },
    describe: (model, signal) =>
      failing(name, async () => {
        const info = await inner.describe(model, signal);
        const fault = faultInInfo(info);
        if (fault !== '') throw wrongFrom(name, fault);
        return info;
      }),
    list: (signal) => failing(name, async () => inner.list(signal)),
    close: async () => inner.close?.(),
    ...optional(inner, 'infos'),
    ...optional(inner, 'ignores'),
    ...optional(inner, 'loadedWindow'),
    ...optional(inner, 'isFree'),
    ...optional(inner, 'keys'),
  };
}

/** Without it the provider says nothing, which is another thing than saying no. */
const optional = <Name extends keyof Provider>(
  inner: Provider,
  name: Name,
): { readonly [one: string]: unknown } => {
  const own: unknown = inner[name];
  return typeof own === 'function' ? { [name]: own.bind(inner) } : {};
};

/** Does something of the caller's; what it throws is a failure of its provider. */
export async function failing<Value>(name: string, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    throw failureOf(name, error);
  }
}

function failureOf(name: string, error: unknown): unknown {
  if (error instanceof TardigradeError) return error;
  // Another copy of this package has a class of its own.
  if (error instanceof Error && error.name === ProviderError.name) {
    const { status, hint = '' } = error as Partial<ProviderError>;
    const read = TurnStatus.safeParse(status);
    if (!read.success) return wrongFrom(name, `an error without a known status: ${error.message}`);
    return error instanceof ProviderError
      ? error
      : new ProviderError(read.data, error.message, hint, { cause: error });
  }
  const status = { kind: 'model_error', retryable: false } as const;
  return new ProviderError(status, `The provider ${name} failed: ${failureText(error)}`, '', {
    cause: error,
  });
}

const wrongFrom = (name: string, fault: string): ProviderError =>
  new ProviderError(
    { kind: 'model_error', retryable: false },
    `The provider ${name} gave ${fault}.`,
    'See "Your own provider" in docs/library.md.',
  );

/** What is wrong with an event, in words behind "gave"; '' if nothing is. Events of a later version pass. */
function faultIn(event: ModelEvent): string {
  if (typeof event !== 'object' || event === null) return 'something that is no event';
  switch (event.type) {
    case 'text':
    case 'thinking':
      return typeof event.text === 'string' ? '' : `an event ${event.type} whose text is no text`;
    case 'tool_call':
      return faultInCall(event.call);
    case 'usage':
      return faultInUsage(event.type, event.usage);
    case 'finished':
      if (!Object.hasOwn(REASONS, event.reason))
        return `an event finished whose reason is none of ${Object.keys(REASONS).join(', ')}`;
      if (typeof event.rawReason !== 'string')
        return 'an event finished whose rawReason is no text';
      return faultInUsage(event.type, event.usage);
    default:
      return '';
  }
}

function faultInCall(call: Extract<ModelEvent, { type: 'tool_call' }>['call'] | undefined): string {
  if (typeof call?.id !== 'string' || typeof call.name !== 'string')
    return 'a tool_call whose id or name is no text';
  const { args } = call;
  return typeof args === 'object' && args !== null && !Array.isArray(args)
    ? ''
    : 'a tool_call whose args are no object';
}

function faultInUsage(type: string, usage: Usage | undefined): string {
  const wrong = Object.keys(COUNTS).find((count) => {
    const value = usage?.[count as keyof Usage];
    return !(Number.isFinite(value) && Number(value) >= 0);
  });
  return wrong === undefined ? '' : `an event ${type} whose usage.${wrong} is no number from 0 on`;
}

function faultInInfo(info: ModelInfo | undefined): string {
  const { contextWindow = null, capabilities } = info ?? {};
  if (typeof capabilities !== 'object' || capabilities === null)
    return 'a description of its model without capabilities';
  return contextWindow === null || (Number.isFinite(contextWindow) && contextWindow > 0)
    ? ''
    : 'a description of its model whose contextWindow is no number';
}
