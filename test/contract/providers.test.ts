import { ANTHROPIC } from './harness-anthropic.ts';
import { EMBEDDED } from './harness-embedded.ts';
import { OLLAMA } from './harness-ollama.ts';
import { OPENAI } from './harness-openai.ts';
import { RECORDED } from './harness-recorded.ts';
import { providerContract } from './provider.ts';

for (const harness of [OLLAMA, ANTHROPIC, OPENAI, RECORDED, EMBEDDED]) providerContract(harness);
