/** The program as a worker would be part of it: all that it holds, and the steps of a run. */
export { openOwnedRun as openRun } from '../../src/agent.ts';
export { startProgram as start } from '../../src/cli/start.ts';
export { playedProvider } from '../../src/llm/recorded/played-provider.ts';
