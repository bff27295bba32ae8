/** The engine process: loads llama.cpp and answers turns over IPC. Started by `embeddedProvider`. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { thrownText } from '../../lib/callback.ts';
import { systemClock } from '../../lib/clock.ts';
import { createEmbeddedEngine, type EmbeddedEngine, EngineError } from './engine.ts';
import type { JinjaModule, LlamaModule } from './engine-api.ts';
import { keptStates } from './kept-states.ts';
import type { EngineReply, EngineRequest, EngineSettings } from './protocol.ts';

// Ctrl+C reaches every process of the terminal's group; the parent decides what it means here.
process.on('SIGINT', () => {});
// `exit` would wait for the current computation.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const settings = JSON.parse(process.argv[2] ?? '{}') as EngineSettings;
const reply = (message: EngineReply): void => void process.send?.(message, () => {});

async function startEngine(): Promise<EmbeddedEngine> {
  try {
    const require = createRequire(settings.engineEntry);
    const llama: LlamaModule = await import(pathToFileURL(settings.engineEntry).href);
    const jinja: JinjaModule = require('@huggingface/jinja');
    const { statesFolder: folder } = settings;
    const states = keptStates({ folder, pid: process.pid, now: systemClock.now });
    return createEmbeddedEngine(settings, { llama, jinja }, states);
  } catch (error) {
    throw new EngineError('engine_broken', thrownText(error), { cause: error });
  }
}

let engine: Promise<EmbeddedEngine> | null = null;
let underWay: { readonly id: number; readonly controller: AbortController } | null = null;

process.on('message', async (request: EngineRequest) => {
  if (request.type === 'abort') {
    if (underWay?.id === request.id) underWay.controller.abort();
    return;
  }
  const controller = new AbortController();
  underWay = { id: request.id, controller };
  try {
    engine ??= startEngine();
    await (await engine).turn(request, controller.signal, reply);
  } catch (error) {
    const failure = error instanceof EngineError ? error.failure : 'turn_failed';
    reply({ type: 'failed', id: request.id, failure, message: thrownText(error) });
  } finally {
    underWay = null;
  }
});
