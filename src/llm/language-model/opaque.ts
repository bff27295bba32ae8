/** What is kept of an answer besides its text: its parts in order, with data that only their provider can read. */
import * as z from 'zod';

const Metadata = z.record(z.string(), z.unknown()).optional();

export const Blocks = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string(), metadata: Metadata }),
    z.object({ type: z.literal('reasoning'), text: z.string(), metadata: Metadata }),
    z.object({ type: z.literal('tool-call'), id: z.string(), metadata: Metadata }),
  ]),
);
export type OpaqueBlock = z.infer<typeof Blocks>[number];

export interface BlockCollector {
  /** @param id of the part; its pieces share it */
  add(
    type: 'text' | 'reasoning',
    id: string,
    text: string,
    metadata?: OpaqueBlock['metadata'],
  ): void;
  call(id: string, metadata?: OpaqueBlock['metadata']): void;
  /** `null` if the text alone is enough. */
  blocks(): readonly OpaqueBlock[] | null;
}

export function blockCollector(): BlockCollector {
  const found: { readonly key: string; block: OpaqueBlock }[] = [];
  return {
    add(type, id, text, metadata) {
      const key = `${type} ${id}`;
      const last = found.findLast((one) => one.key === key);
      const before = last?.block.type === type ? last.block : null;
      if (before === null && text === '' && metadata === undefined) return;
      const block: OpaqueBlock = {
        type,
        text: (before?.text ?? '') + text,
        // Later metadata applies to the whole part: a signature arrives at its end.
        metadata: merged(before?.metadata, metadata),
      };
      if (last && before) last.block = block;
      else found.push({ key, block });
    },
    call(id, metadata) {
      found.push({ key: `call ${id}`, block: { type: 'tool-call', id, metadata } });
    },
    blocks: () => {
      const isNeeded = found.some(({ block }) => block.type === 'reasoning' || block.metadata);
      return isNeeded ? found.map(({ block }) => withoutUndefined(block)) : null;
    },
  };
}

function merged(
  before: OpaqueBlock['metadata'],
  after: OpaqueBlock['metadata'],
): OpaqueBlock['metadata'] {
  if (before === undefined || after === undefined) return after ?? before;
  const all = { ...before };
  for (const [provider, said] of Object.entries(after)) {
    const old = all[provider];
    const isBoth = isObject(old) && isObject(said);
    all[provider] = isBoth ? { ...old, ...said } : said;
  }
  return all;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function withoutUndefined(block: OpaqueBlock): OpaqueBlock {
  if (block.metadata !== undefined) return block;
  const { metadata: _metadata, ...rest } = block;
  return rest;
}
