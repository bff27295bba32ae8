// Collects the events of one turn, up to a bound, and notices when a model is stuck in a loop.
import type { ToolCall } from '../../schema/model/messages.ts';
import {
  type FinishReason,
  type ModelEvent,
  NO_USAGE,
  type Usage,
} from '../../schema/model/turn.ts';
import { notTooDeep, refuseTooDeep } from '../wire/nesting.ts';
import { type RepetitionOptions, repetitionWatch } from './repetition.ts';
import { answerRoom } from './room.ts';

export interface BufferedReply {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly opaque: { readonly provider: string; readonly blocks: unknown } | null;
  readonly reason: FinishReason | null;
  readonly rawReason: string;
  readonly usage: Usage;
  readonly isUncounted?: true;
}

export interface ReplyBuffer {
  /** Throws a `ProviderError` for a call that is nested too deeply. */
  add(event: ModelEvent): void;
  content(): BufferedReply;
  /** Why the answer should be cut off here, or `null`. */
  problem(): string | null;
}

export function replyBuffer(provider: string, options: RepetitionOptions = {}): ReplyBuffer {
  let text = '';
  let thinking = '';
  const calls: ToolCall[] = [];
  let opaque: BufferedReply['opaque'] = null;
  let usage = NO_USAGE;
  let finish: Extract<ModelEvent, { type: 'finished' }> | null = null;
  const loops = watches(options);
  const room = answerRoom();
  let problem: string | null = null;

  return {
    add(event) {
      switch (event.type) {
        case 'text':
          text += room.take('text', event.text);
          problem ??= loops.text(event.text);
          break;
        case 'thinking':
          thinking += room.take('thinking', event.text);
          problem ??= loops.thinking(event.text);
          break;
        case 'tool_call':
          refuseTooDeep(event.call.name, event.call.args);
          room.take('calls', JSON.stringify(event.call.args));
          room.count('whole');
          calls.push(event.call);
          break;
        case 'opaque':
          opaque = { provider, blocks: notTooDeep(event.blocks) };
          break;
        case 'usage':
          usage = event.usage;
          break;
        case 'finished':
          finish = event;
          usage = event.usage;
          break;
        case 'tool_call_arguments':
          room.take('pieces', event.text);
          problem ??= loops.calls(event.text);
          break;
        case 'tool_call_started':
          room.count('begun');
          break;
      }
    },
    content: () => ({
      text,
      thinking,
      calls,
      opaque,
      reason: finish?.reason ?? null,
      rawReason: finish?.rawReason ?? '',
      usage,
      ...(finish?.isUncounted ? { isUncounted: true } : {}),
    }),
    problem: () => problem ?? room.problem(),
  };
}

const watches = (options: RepetitionOptions) => ({
  text: repetitionWatch(options),
  thinking: repetitionWatch(),
  calls: repetitionWatch(),
});
