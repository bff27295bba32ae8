import type { MessageProcessExit } from '../../processes/message-process.ts';
import type { EngineReply, EngineRequest } from './protocol.ts';

/** A running engine. It dies with this process, however this process ends. */
export interface EngineProcess {
  send(request: EngineRequest): void;
  /** Kills it at once; `onExit` follows. */
  kill(): void;
}

export interface EngineListener {
  onReply(reply: EngineReply): void;
  /** Called once, even if the process could not be started. */
  onExit(exit: MessageProcessExit): void;
}

/** Starts the engine process with `settings` (JSON) as its only argument. */
export type StartEngine = (settings: string, listener: EngineListener) => EngineProcess;
