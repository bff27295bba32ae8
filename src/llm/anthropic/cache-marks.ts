// Pure: where the API should cache a prompt: after the part that never changes, and after the two newest user turns.
import type { ContentBlockParam, TextBlockParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import type { Turn } from './conversation.ts';

interface Prompt {
  readonly tools: Tool[];
  readonly system: TextBlockParam[];
  readonly turns: Turn[];
}

const MARK = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Three marks; the API accepts four. The mark before the newest turn is where the last request ended: the API looks
 * back only 20 blocks from a mark, and one answer may contain more calls than that. Tools come before the system
 * prompt, so one mark there covers both.
 */
export function withCacheMarks(
  tools: readonly Tool[],
  system: readonly TextBlockParam[],
  turns: readonly Turn[],
): Prompt {
  const users = turns.flatMap((turn, index) => (turn.role === 'user' ? [index] : []));
  const marked = new Set(users.slice(-2));
  return {
    tools: system.length === 0 ? markLast(tools) : [...tools],
    system: markLast(system),
    turns: turns.map((turn, index) =>
      marked.has(index) ? { ...turn, content: markLast(turn.content) } : turn,
    ),
  };
}

/** The last block of a user turn is a text or a result; both accept a mark. */
function markLast<Block extends ContentBlockParam | Tool>(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, ...MARK } : block,
  );
}
