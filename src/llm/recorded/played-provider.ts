/** A model that gives prepared answers in order, whatever it is asked: for tests of a program. */
import { type FinishReason, NO_USAGE } from '../../schema/model/turn.ts';
import { modelFault, type Provider } from '../provider.ts';

/** One prepared answer: text, calls, or a failure. */
export interface PlayedReply {
  readonly text?: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly args: { readonly [name: string]: unknown };
  }[];
}

/** Plays the replies in order, then fails with a `ProviderError`. Its model may have any name. */
export function playedProvider(replies: readonly PlayedReply[]): Provider {
  let next = 0;
  return {
    name: 'played',
    async *stream() {
      const reply = replies[next];
      const turn = next;
      if (reply === undefined)
        throw modelFault(
          `There are ${replies.length} replies to play, and one more was asked for.`,
          '',
        );
      next += 1;
      const { text = '', calls = [] } = reply;
      if (text !== '') yield { type: 'text', text };
      for (const [index, { name, args }] of calls.entries())
        yield { type: 'tool_call', call: { id: `call_${turn}_${index}`, name, args } };
      const reason: FinishReason = calls.length === 0 ? 'stop' : 'tool_calls';
      yield { type: 'finished', reason, rawReason: reason, usage: NO_USAGE };
    },
    describe: async (model) => ({
      model,
      digest: null,
      contextWindow: 32_768,
      capabilities: { tools: true, schema: true, thinking: false, images: false },
      // Driven like a large model.
      isPublic: true,
      isPlayed: true,
    }),
    list: async () => ['played'],
    close: async () => {},
  };
}
