/**
 * What the rows of the providers need when they are asked for something. It is loaded as one piece:
 * a command line is read without it.
 */
export { ANTHROPIC_URL, accountOf } from '../../llm/anthropic/account.ts';
export { parseBaseUrl } from '../../llm/openai/base-url.ts';
export { openEmbedded } from './embedded-model.ts';
export { listEmbedded } from './list-embedded.ts';
export { listOllama, openOllama } from './ollama.ts';
