import type { ModelInfo, Provider } from '../../llm/provider.ts';

/** A provider with a stored description, because a run describes the chosen model again at once. */
export const described = (provider: Provider, info: ModelInfo): Provider => ({
  ...provider,
  describe: async (model, signal) =>
    model === info.model ? info : await provider.describe(model, signal),
});
