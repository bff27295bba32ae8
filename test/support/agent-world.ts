import type { AIAgentOptions } from '../../src/host/library/agent/contract.ts';
import type { Provider } from '../../src/llm/provider.ts';
import {
  SCRIPTED_MODEL,
  type Script,
  type ScriptedProvider,
  scriptedProvider,
} from './scripted-provider.ts';
import { type TestWorld, WORKSPACE } from './test-machine.ts';

/** A provider of that name with one strong model. */
export const named = (name: string, script: Script): ScriptedProvider => ({
  ...scriptedProvider(script, { parameters: 32e9, contextWindow: 32_768 }),
  name,
});

/** What an agent is made from, on a world's disk. */
export const agentIn = (
  world: TestWorld,
  provider: Provider,
  more: Partial<AIAgentOptions> = {},
): AIAgentOptions => ({
  providers: [provider],
  models: [SCRIPTED_MODEL],
  systemPrompt: 'Be short.',
  userPrompt: 'Hello',
  workspace: WORKSPACE,
  machine: world.machine(),
  ...more,
});
