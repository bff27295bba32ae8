import type { ModelInfo, Provider } from '../../llm/provider.ts';

/** A run describes the chosen model again at once; this gives it the stored answer. */
export const described = (provider: Provider, info: ModelInfo): Provider => ({
  ...provider,
  describe: async (model, signal) =>
    model === info.model ? info : await provider.describe(model, signal),
});
