/**
 * The `embedded` provider: llama.cpp in a process of its own. Owns that process.
 * 1. At most one engine process, at most one turn in it.
 * 2. An abort is answered at once; a process that does not stop within the grace time is ended.
 * 3. After a crash or a failed turn the next turn starts a fresh process.
 */
import type { Clock } from '../../lib/clock.ts';
import type { FileSystem } from '../../lib/file-system.ts';
import type { ModelEvent, ModelRequest } from '../../schema/turn.ts';
import { type ModelInfo, type Provider, ProviderError } from '../provider.ts';
import type { EngineProcess, StartEngine } from './engine-process.ts';
import { exitError, failureError, SETUP_HINT } from './failures.ts';
import { GgufError, type GgufInfo, readGguf } from './gguf.ts';
import { engineEntry } from './installed.ts';
import { chatMessages } from './messages.ts';
import type { EngineReply, EngineSettings } from './protocol.ts';
import { type Queue, queue } from './queue.ts';
import { schemaGrammar } from './schema-grammar.ts';

export interface EmbeddedOptions {
  /** Absolute path of the GGUF file. */
  readonly modelFile: string;
  /** The user's data folder (`userDataFolder`). */
  readonly dataFolder: string;
  /** Cores to use: `os.availableParallelism()`. More is many times slower. */
  readonly threads: number;
  readonly gpu: boolean;
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly startEngine: StartEngine;
  /** Milliseconds an aborted turn has to stop by itself, which keeps the model loaded. */
  readonly abortGraceMs?: number;
}

const ABORT_GRACE_MS = 1500;

interface Running {
  readonly process: EngineProcess;
  /** The turn that the process works on, also after its abort; `null`: it is idle. */
  turn: { readonly id: number; readonly replies: Queue<EngineReply> } | null;
  /** Ends the wait for an aborted turn to stop. */
  readonly quiet: { done: () => void };
}

export function embeddedProvider(options: EmbeddedOptions): Provider {
  const { modelFile, fs } = options;
  let running: Running | null = null;
  let lastId = 0;

  const end = (engine: Running): void => {
    if (running === engine) running = null;
    engine.process.kill();
    engine.quiet.done();
  };

  const start = (): Running => {
    const entry = engineEntry(fs, options.dataFolder);
    if (entry === null) throw engineMissing();
    describeFile(fs, modelFile);
    const { threads, gpu } = options;
    const settings: EngineSettings = { modelFile, engineEntry: entry, threads, gpu };
    const engine: Running = {
      process: options.startEngine(JSON.stringify(settings), {
        onReply: (reply) => {
          if (engine.turn?.id !== reply.id) return;
          engine.turn.replies.push(reply);
          if (reply.type === 'text') return;
          engine.turn = null;
          engine.quiet.done();
        },
        onExit: (exit) => {
          if (running === engine) running = null;
          engine.turn?.replies.fail(exitError(exit));
          engine.turn = null;
          engine.quiet.done();
        },
      }),
      turn: null,
      quiet: { done: () => {} },
    };
    running = engine;
    return engine;
  };

  /** Asks the engine to stop; the next turn finds it idle, or finds none. */
  const stopTurn = async (engine: Running, id: number): Promise<void> => {
    const waiting = new AbortController();
    engine.quiet.done = () => waiting.abort();
    engine.process.send({ type: 'abort', id });
    try {
      await options.clock.sleep(options.abortGraceMs ?? ABORT_GRACE_MS, waiting.signal);
      if (engine.turn?.id === id) end(engine);
    } catch {
      // It stopped, or is gone.
    }
  };

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) throw aborted();
    // An engine that still works on an aborted turn is not waited for: loading takes as long.
    if (running !== null && running.turn !== null) end(running);
    const engine = running ?? start();
    lastId += 1;
    const id = lastId;
    const replies = queue<EngineReply>();
    const onAbort = (): void => {
      replies.fail(aborted());
      void stopTurn(engine, id);
    };
    engine.turn = { id, replies };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      engine.process.send({
        type: 'turn',
        id,
        messages: chatMessages(request.messages),
        grammar: request.responseSchema ? schemaGrammar(request.responseSchema) : null,
        temperature: request.temperature,
        seed: request.seed,
        contextWindow: request.contextWindow,
        maxOutputTokens: request.maxOutputTokens,
      });
      for (;;) {
        const reply = await replies.next();
        if (reply.type === 'text') yield { type: 'text', text: reply.text };
        else if (reply.type === 'failed') {
          if (reply.failure !== 'context_overflow') end(engine);
          throw failureError(reply.failure, reply.message, modelFile);
        } else {
          yield finished(reply);
          return;
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      // The consumer may stop reading without an abort.
      if (engine.turn?.id === id && !signal.aborted) void stopTurn(engine, id);
    }
  }

  return {
    name: 'embedded',
    stream,
    describe: async (model): Promise<ModelInfo> => {
      if (engineEntry(fs, options.dataFolder) === null) throw engineMissing();
      const { contextLength, digest } = describeFile(fs, modelFile);
      return {
        model,
        digest,
        contextWindow: contextLength,
        capabilities: { tools: false, schema: true, thinking: false },
      };
    },
    list: async () => [modelFile],
    close: async () => {
      if (running !== null) end(running);
    },
  };
}

function finished(reply: Extract<EngineReply, { type: 'finished' }>): ModelEvent {
  const { input, reused, output, modelMs } = reply.counts;
  return {
    type: 'finished',
    reason: reply.reason === 'aborted' ? 'other' : reply.reason,
    rawReason: reply.reason,
    usage: { input, output, thinking: 0, cacheRead: reused, cacheWrite: 0, modelMs },
  };
}

function describeFile(fs: FileSystem, modelFile: string): GgufInfo {
  try {
    return readGguf(fs, modelFile);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const what =
      error instanceof GgufError
        ? `${modelFile} is no model in GGUF format: ${error.message}`
        : isMissing
          ? `there is no model file ${modelFile}`
          : `the model file ${modelFile} cannot be read: ${String((error as Error).message)}`;
    const hint = 'give the path of a GGUF file: --model embedded:FILE.gguf';
    throw new ProviderError({ kind: 'model_error', retryable: false }, what, hint, {
      cause: error,
    });
  }
}

const engineMissing = (): ProviderError =>
  new ProviderError(
    { kind: 'model_error', retryable: false },
    'the embedded engine is not installed',
    SETUP_HINT,
  );

const aborted = (): ProviderError => new ProviderError({ kind: 'aborted' }, 'aborted', '');
