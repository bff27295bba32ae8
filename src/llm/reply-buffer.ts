// Gathers the events of one turn, and notices when a model has got stuck in a loop.
import type { ToolCall } from '../schema/messages.ts';
import { type FinishReason, type ModelEvent, NO_USAGE, type Usage } from '../schema/turn.ts';

/** More equal lines in a row, or more white space in a row, than any useful answer has. */
const MAX_EQUAL_LINES = 30;
const MAX_BLANK_CHARACTERS = 3000;

export interface Reply {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly opaque: { readonly provider: string; readonly blocks: unknown } | null;
  readonly reason: FinishReason | null;
  readonly rawReason: string;
  readonly usage: Usage;
}

export interface ReplyBuffer {
  add(event: ModelEvent): void;
  content(): Reply;
  /** Why the answer should be cut off here, or `null`. */
  problem(): string | null;
}

export function replyBuffer(provider: string): ReplyBuffer {
  let text = '';
  let thinking = '';
  const calls: ToolCall[] = [];
  let opaque: Reply['opaque'] = null;
  let finish: Extract<ModelEvent, { type: 'finished' }> | null = null;
  const loops = { text: loopWatch(), thinking: loopWatch() };
  let problem: string | null = null;

  return {
    add(event) {
      switch (event.type) {
        case 'text':
          text += event.text;
          problem ??= loops.text(event.text);
          break;
        case 'thinking':
          thinking += event.text;
          problem ??= loops.thinking(event.text);
          break;
        case 'tool_call':
          calls.push(event.call);
          break;
        case 'opaque':
          opaque = { provider, blocks: event.blocks };
          break;
        case 'finished':
          finish = event;
          break;
        case 'tool_call_started':
        case 'tool_call_arguments':
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
      usage: finish?.usage ?? NO_USAGE,
    }),
    problem: () => problem,
  };
}

/** Looks at each character once, so a long answer costs no more than its length. */
function loopWatch(): (piece: string) => string | null {
  let line = '';
  let previous = '';
  let equalLines = 0;
  let blank = 0;
  const endLine = (): void => {
    const trimmed = line.trim();
    line = '';
    if (trimmed === '') return;
    equalLines = trimmed === previous ? equalLines + 1 : 1;
    previous = trimmed;
  };
  return (piece) => {
    const parts = piece.split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) endLine();
      line += part;
    }
    const tail = /\s*$/.exec(piece)?.[0].length ?? 0;
    blank = tail === piece.length ? blank + tail : tail;
    if (equalLines > MAX_EQUAL_LINES) {
      return `The model repeats itself: "${previous.slice(0, 80)}" ${equalLines} times in a row.`;
    }
    return blank > MAX_BLANK_CHARACTERS ? 'The model writes nothing but white space.' : null;
  };
}
