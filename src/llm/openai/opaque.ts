// Pure: signed thinking that only the server can read; collected from a stream and sent back.
import * as z from 'zod';

/** OpenRouter's `reasoning_details`, and Google's `extra_content` by the id of its call. */
export const OpaqueBlocks = z.object({
  reasoning_details: z.array(z.record(z.string(), z.unknown())).optional(),
  extra_content: z.record(z.string(), z.unknown()).optional(),
});
export type OpaqueBlocks = z.infer<typeof OpaqueBlocks>;

type Detail = Record<string, unknown>;

/** Fields that arrive in pieces; the others arrive once. */
const PIECES = ['text', 'summary', 'data'];

/** Consecutive pieces of one block are sent back as one, in the order of arrival. */
export function reasoningCollector() {
  const blocks: Detail[] = [];
  return {
    add(details: readonly Detail[] | null | undefined): void {
      for (const detail of details ?? []) {
        const last = blocks.at(-1);
        if (last && last.type === detail.type && last.index === detail.index) join(last, detail);
        else blocks.push({ ...detail });
      }
    },
    blocks: (): Detail[] | null => (blocks.length > 0 ? blocks : null),
  };
}

function join(block: Detail, piece: Detail): void {
  for (const [field, value] of Object.entries(piece)) {
    const before = block[field];
    if (PIECES.includes(field) && typeof before === 'string' && typeof value === 'string') {
      block[field] = before + value;
    } else if (value !== null && value !== undefined) {
      block[field] = value;
    }
  }
}
