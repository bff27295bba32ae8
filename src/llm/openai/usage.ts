// Pure: converts each server's counts of tokens and time to one meaning.
import type { Usage } from '../../schema/model/turn.ts';
import type { Chunk, WireUsage } from './wire.ts';

/**
 * `prompt_tokens` includes cached tokens, and `completion_tokens` includes thinking, unless the total shows that
 * thinking was added separately.
 */
export function usageOf(
  usage: WireUsage | null,
  timings: Chunk['timings'],
  measuredMs: number,
): Usage {
  const prompt = usage?.prompt_tokens ?? 0;
  const completion = usage?.completion_tokens ?? 0;
  const details = usage?.prompt_tokens_details;
  const cacheRead = Math.min(
    prompt,
    details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? timings?.cache_n ?? 0,
  );
  const cacheWrite = Math.min(prompt - cacheRead, details?.cache_write_tokens ?? 0);
  const thinking = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  const isApart = usage?.total_tokens === prompt + completion + thinking || thinking > completion;
  const worked = (timings?.prompt_ms ?? 0) + (timings?.predicted_ms ?? 0);
  return {
    input: prompt - cacheRead - cacheWrite,
    output: isApart ? completion : completion - thinking,
    thinking,
    cacheRead,
    cacheWrite,
    modelMs: Math.round(worked || measuredMs),
  };
}
