import type { ModelInfo } from '../../src/llm/provider.ts';
import type { RecordedTurn, Recording } from '../../src/llm/recorded/recording.ts';

/** An empty recording of a model; `turns` are those that `recordingProvider` gave to its sink. */
export const recordingOf = (
  provider: string,
  { model, digest, contextWindow, capabilities }: ModelInfo,
  turns: readonly RecordedTurn[],
): Recording => {
  // No more than this: what else was told of a model, a recording that is read again refuses.
  const { tools, schema, thinking } = capabilities;
  const info = { digest, contextWindow, capabilities: { tools, schema, thinking } };
  return { format: 1, provider, model, info, turns: [...turns] };
};
