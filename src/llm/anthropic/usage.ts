// Pure: converts the API's token counts to ours: classes stay separate, and the latest count of each counts.
import type { Usage } from '../../schema/model/turn.ts';
import type { UsageCounts } from './wire.ts';

export function withCounts(
  counts: UsageCounts,
  newer: UsageCounts | null | undefined,
): UsageCounts {
  const reported = Object.entries(newer ?? {}).filter(([, count]) => count !== null);
  return { ...counts, ...Object.fromEntries(reported) };
}

/** The API counts thinking as output, and never counts cache reads or writes as input. */
export function usageOf(counts: UsageCounts, modelMs: number): Usage {
  const thinking = counts.output_tokens_details?.thinking_tokens ?? 0;
  return {
    input: counts.input_tokens ?? 0,
    output: Math.max(0, (counts.output_tokens ?? 0) - thinking),
    thinking,
    cacheRead: counts.cache_read_input_tokens ?? 0,
    cacheWrite: counts.cache_creation_input_tokens ?? 0,
    modelMs: Math.round(modelMs),
  };
}
