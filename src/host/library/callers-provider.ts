/**
 * A provider of the calling program, held to its contract: it may be written without types. Its exceptions
 * and wrong values count as failures of the provider, not as errors of this program.
 */
import * as z from 'zod';
import { thrownText } from '../../lib/callback.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { answering } from '../../llm/models/answering.ts';
import { askedThrough } from '../../llm/models/asked-through.ts';
import { modelFault, type Provider, ProviderError } from '../../llm/provider.ts';
import { isPartTooDeep } from '../../llm/wire/nesting.ts';
import { ToolCall } from '../../schema/model/messages.ts';
import { Price } from '../../schema/model/price.ts';
import { type ModelEvent, TurnStatus } from '../../schema/model/turn.ts';

const count = z.number().min(0);
const Counts = z.object({
  input: count,
  output: count,
  thinking: count,
  cacheRead: count,
  cacheWrite: count,
  modelMs: count,
});
const Text = z.object({ text: z.string() });
/** Checks by event type; events of a later version pass. */
const EVENTS: { readonly [type: string]: z.ZodType | undefined } = {
  text: Text,
  thinking: Text,
  tool_call: z.object({ call: ToolCall }),
  usage: z.object({ usage: Counts }),
  finished: z.object({
    reason: z.enum(['stop', 'tool_calls', 'length', 'refusal', 'other']),
    rawReason: z.string(),
    usage: Counts,
  }),
};
const Info = z.object({
  contextWindow: z.number().positive().nullish(),
  capabilities: z.record(z.string(), z.unknown()),
  digest: z.string().nullish(),
  parameters: z.number().positive().nullish(),
  price: Price.nullish(),
});

/** Throws E_USAGE for a provider without a name. */
export function callersProvider(inner: Provider): Provider {
  const name: unknown = (inner as Provider | undefined)?.name;
  if (typeof name !== 'string' || name === '')
    throw misuse('The provider has no name.', 'Give it one: the journal keeps it.');
  return answering({
    ...askedThrough(inner, (question, signal) => failing(name, async () => question(signal))),
    async *stream(request, signal, limits) {
      try {
        for await (const event of inner.stream(request, signal, limits)) {
          if (typeof event?.type !== 'string') throw wrongFrom(name, 'something that is no event');
          refuseWrong(name, `an event ${event.type}`, event, EVENTS[event.type]);
          yield asKept(name, event);
        }
      } catch (error) {
        throw failureOf(name, error);
      }
    },
    describe: (model, signal) =>
      failing(name, async () => {
        const info = await inner.describe(model, signal);
        refuseWrong(name, 'a description of its model', info, Info);
        return info;
      }),
  });
}

/** An event as the journal keeps it, so that a request after a crash is the same as one before. */
function asKept(name: string, event: ModelEvent): ModelEvent {
  const kept = <Value>(value: Value, field: string): Value => {
    // The reader of the answer decides how deep it may be.
    if (isPartTooDeep(value)) return value;
    try {
      return JSON.parse(JSON.stringify(value)) as Value;
    } catch {
      throw wrongFrom(name, `an event ${event.type} whose ${field} is no JSON`);
    }
  };
  if (event.type === 'opaque') return { ...event, blocks: kept(event.blocks, 'blocks') };
  if (event.type !== 'tool_call') return event;
  const { call } = event;
  return { ...event, call: { ...call, args: kept(call.args, 'call.args') } };
}

/** Calls code of the caller; what it throws is a failure of its provider. */
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
  return new ProviderError(status, `The provider ${name} failed: ${thrownText(error)}`, '', {
    cause: error,
  });
}

const wrongFrom = (name: string, fault: string): ProviderError =>
  modelFault(`The provider ${name} gave ${fault}.`, 'See "Your own provider" in docs/library.md.');

function refuseWrong(name: string, what: string, value: unknown, form?: z.ZodType): void {
  const [issue] = form?.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return;
  throw wrongFrom(name, `${what} whose ${issue.path.join('.') || 'form'} is wrong`);
}
