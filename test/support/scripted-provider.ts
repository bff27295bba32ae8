import { type ModelInfo, type Provider, ProviderError } from '../../src/llm/provider.ts';
import {
  type FinishReason,
  type ModelEvent,
  type ModelRequest,
  NO_USAGE,
  type TurnStatus,
} from '../../src/schema/model/turn.ts';

import { asksForBrief, briefIn, stating, textOf } from './models.ts';

export const SCRIPTED_MODEL = 'scripted:1b';

export interface ScriptedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** What the model does with one request: words, calls, a failure, or an answer cut off. */
export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly fails?: TurnStatus;
  readonly isCutOff?: boolean;
}

/** `n` counts the requests of this provider from 1, over all runs it is used in. */
export type Script = (request: ModelRequest, n: number) => ScriptedReply | string;

export interface ScriptedProvider extends Provider {
  readonly requests: readonly ModelRequest[];
}

export interface ScriptedExample {
  /** The line of the goal that holds it. */
  readonly quote: string;
  readonly part: number;
  readonly how: 'call' | 'command' | 'typed';
  readonly input: string;
  readonly result: string;
}

const numbered = (examples: readonly ScriptedExample[]): string =>
  JSON.stringify({
    asks_for: 'work',
    examples: examples.map(({ part, how, input, result }) => ({
      ...{ goal_part: part, how, input, result },
    })),
    keep: [],
    tests: 0,
  });

const quoted = (examples: readonly ScriptedExample[]) =>
  examples.map(({ quote, how, input, result }) => ({
    ...{ quote, gives: result },
    ...(how === 'call' ? { call: input } : {}),
    ...(how === 'command' ? { argv: input.split(' ') } : {}),
    ...(how === 'typed' ? { stdin: input } : {}),
  }));

export interface ScriptedOptions {
  readonly canCallTools?: boolean;
  readonly holdsSchema?: boolean;
  /** Left out: nobody tells. */
  readonly takesImages?: boolean;
  /** Tokens. */
  readonly contextWindow?: number;
  readonly parameters?: number;
  /** What it says of its goal; it is none of its requests, unless the script itself answers. */
  readonly brief?: string;
  /** What the goal states, in either mode; left out: what a program prints where it is put plainly. */
  readonly examples?: readonly ScriptedExample[];
}

/** One that leads by itself where nobody says otherwise. */
export const LARGE: ScriptedOptions = { parameters: 32e9, contextWindow: 32_768 };

/**
 * A provider without a wire. Ids of calls follow from the conversation alone, so that the same
 * request always brings the same answer, whichever process asks.
 */
export function scriptedProvider(script: Script, options: ScriptedOptions = {}): ScriptedProvider {
  const requests: ModelRequest[] = [];
  const info: ModelInfo = {
    model: SCRIPTED_MODEL,
    digest: 'sha',
    contextWindow: options.contextWindow ?? 8192,
    capabilities: {
      tools: options.canCallTools ?? true,
      schema: options.holdsSchema ?? true,
      thinking: false,
      ...(options.takesImages === undefined ? {} : { images: options.takesImages }),
    },
    ...(options.parameters === undefined ? {} : { parameters: options.parameters }),
  };
  async function* stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    if (options.brief !== 'scripted' && asksForBrief(request.responseSchema)) {
      yield {
        type: 'text',
        text:
          options.brief ??
          (options.examples ? numbered(options.examples) : briefIn(textOf(request))),
      };
      yield { type: 'finished', reason: 'stop', rawReason: 'stop', usage: NO_USAGE };
      return;
    }
    requests.push({ ...request, messages: [...request.messages] });
    const { examples } = options;
    const answer = examples ? stating(script, () => quoted(examples)) : stating(script);
    const reply = answer(request, requests.length);
    if (reply.fails) throw new ProviderError(reply.fails, `scripted ${reply.fails.kind}`, '');
    if (reply.text) yield { type: 'text', text: reply.text };
    for (const [index, call] of (reply.calls ?? []).entries())
      yield { type: 'tool_call', call: { id: `c${request.messages.length}_${index}`, ...call } };
    const reason = reasonOf(reply);
    yield { type: 'finished', reason, rawReason: reason, usage: NO_USAGE };
  }
  return {
    name: 'scripted',
    requests,
    stream,
    describe: async () => info,
    list: async () => [SCRIPTED_MODEL],
    close: async () => {},
  };
}

const reasonOf = (reply: ScriptedReply): FinishReason =>
  reply.isCutOff ? 'length' : reply.calls?.length ? 'tool_calls' : 'stop';
