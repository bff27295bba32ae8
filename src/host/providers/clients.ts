/** The clients of the providers, as one bundle: reading a command line does not load it. */
export { ANTHROPIC_URL, accountOf } from '../../llm/anthropic/account.ts';
export { parseBaseUrl } from '../../llm/openai/base-url.ts';
export { openEmbedded } from './embedded-model.ts';
export { listEmbedded } from './list-embedded.ts';
export { listOllama, openOllama } from './ollama.ts';
