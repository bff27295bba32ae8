/**
 * The engine process as the provider uses it. Owns that process.
 * 1. At most one engine process, with at most one turn.
 * 2. An abort takes effect at once; a process that does not stop within the grace time is killed.
 * 3. After a crash or a failed turn the next turn starts a fresh process.
 */
import { Readable } from 'node:stream';
import type { Clock } from '../../lib/clock.ts';
import type { MessageProcess, startMessageProcess } from '../../processes/message-process.ts';
import { ProviderError } from '../provider.ts';
import { exitError } from './failures.ts';
import { type EngineReply, isLast, type TurnOrder } from './protocol.ts';

export interface EngineHost {
  /** The replies to one turn, the last one `finished` or `failed`. */
  turn(order: Omit<TurnOrder, 'type' | 'id'>, signal: AbortSignal): AsyncIterable<EngineReply>;
  end(): void;
}

export interface HostOptions {
  readonly clock: Clock;
  /** Milliseconds that an aborted turn has to stop by itself, which keeps the model loaded. */
  readonly abortGraceMs: number;
  start(listener: Parameters<typeof startMessageProcess>[1]): MessageProcess;
}

interface Running {
  readonly process: MessageProcess;
  /** The turn that the process works on, even after its abort; `null`: it is idle. */
  turn: { readonly id: number; readonly replies: Readable } | null;
  /** Ends the wait for an aborted turn to stop. */
  stopWaiting: () => void;
}

export function engineHost(options: HostOptions): EngineHost {
  let running: Running | null = null;
  let lastId = 0;

  const forget = (engine: Running): void => {
    if (running === engine) running = null;
    engine.stopWaiting();
  };
  const end = (engine: Running): void => {
    forget(engine);
    engine.process.kill();
  };

  return {
    async *turn(order, signal) {
      if (signal.aborted) throw aborted();
      // An engine that is still busy with an aborted turn is killed: waiting would take as long as loading.
      if (running !== null && running.turn !== null) end(running);
      const engine = running ?? startEngine(options, forget);
      running = engine;
      lastId += 1;
      const id = lastId;
      const replies = new Readable({ objectMode: true, read: () => {} });
      // Its reader gets the error.
      replies.on('error', () => {});
      const stop = (): void => void stopTurn(engine, id, options, end);
      const onAbort = (): void => {
        replies.destroy(aborted());
        stop();
      };
      engine.turn = { id, replies };
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        engine.process.send({ type: 'turn', id, ...order });
        // A failure overtakes replies that were not read yet.
        for await (const reply of replies as AsyncIterable<EngineReply>) {
          if (reply.type === 'failed' && reply.failure !== 'context_overflow') end(engine);
          yield reply;
          if (isLast(reply)) return;
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        // The consumer may stop reading without an abort.
        if (engine.turn?.id === id && !signal.aborted) stop();
      }
    },
    end: () => {
      if (running !== null) end(running);
    },
  };
}

function startEngine(options: HostOptions, forget: (engine: Running) => void): Running {
  const process = options.start({
    onMessage: (message) => {
      const reply = message as EngineReply;
      if (engine.turn?.id !== reply.id) return;
      engine.turn.replies.push(reply);
      if (!isLast(reply)) return;
      engine.turn = null;
      engine.stopWaiting();
    },
    onExit: (exit) => {
      engine.turn?.replies.destroy(exitError(exit));
      engine.turn = null;
      forget(engine);
    },
  });
  const engine: Running = { process, turn: null, stopWaiting: () => {} };
  return engine;
}

/** Asks the engine to stop, and kills it if it does not. */
async function stopTurn(
  engine: Running,
  id: number,
  options: HostOptions,
  end: (engine: Running) => void,
): Promise<void> {
  const waiting = new AbortController();
  engine.stopWaiting = () => waiting.abort();
  engine.process.send({ type: 'abort', id });
  try {
    await options.clock.sleep(options.abortGraceMs, waiting.signal);
    if (engine.turn?.id === id) end(engine);
  } catch {
    // The engine has stopped or exited.
  }
}

const aborted = (): ProviderError => new ProviderError({ kind: 'aborted' }, 'aborted', '');
