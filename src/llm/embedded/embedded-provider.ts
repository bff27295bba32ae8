/** The `embedded` provider: llama.cpp in a separate process, which a crash or an abort may end. */
import type { Clock } from '../../lib/clock.ts';
import { errorCode } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import {
  type MessageProcessRequest,
  startMessageProcess,
} from '../../processes/message-process.ts';
import { DEFAULT_TEMPERATURE } from '../../schema/config.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelEvent } from '../../schema/model/turn.ts';
import { modelFault, type Provider } from '../provider.ts';
import { answeredCalls, resultWords } from '../wire/answered-calls.ts';
import { promptShare } from '../wire/prompt-share.ts';
import { toWireSchema } from '../wire/wire-schema.ts';
import { engineHost } from './engine-host.ts';
import { failureError, SETUP } from './failures.ts';
import { GgufError, type GgufInfo, readGguf } from './gguf.ts';
import { engineEntry, statesFolder } from './installed.ts';
import type { ChatMessage, EngineReply, EngineSettings } from './protocol.ts';
import { schemaGrammar } from './schema-grammar.ts';

export interface EmbeddedOptions {
  /** Absolute path of the GGUF file. */
  readonly modelFile: string;
  readonly dataFolder: string;
  /** Cores to use: `os.availableParallelism()`. A higher number is many times slower. */
  readonly threads: number;
  /** Whether a graphics processor may be used; only the macOS engine for Apple's chips uses one. */
  readonly gpu: boolean;
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** The built `embedded-child.js`; its environment may contain what graphics drivers read, but no secret. */
  readonly program: Omit<MessageProcessRequest, 'args'>;
  /** Milliseconds that an aborted turn has to stop by itself, which keeps the model loaded. */
  readonly abortGraceMs?: number;
}

const ABORT_GRACE_MS = 1500;

export function embeddedProvider(options: EmbeddedOptions): Provider {
  const { modelFile, fs, dataFolder, threads, gpu } = options;

  const installedEngine = (): string => {
    const entry = engineEntry(fs, dataFolder);
    if (entry !== null) return entry;
    const message = 'The embedded engine is not installed.';
    throw modelFault(message, 'Install it', SETUP);
  };

  const host = engineHost({
    clock: options.clock,
    abortGraceMs: options.abortGraceMs ?? ABORT_GRACE_MS,
    start: (listener) => {
      const entry = installedEngine();
      const { digest } = describeFile(fs, modelFile);
      const settings: EngineSettings = {
        modelFile,
        engineEntry: entry,
        threads,
        gpu,
        statesFolder: statesFolder(fs, dataFolder, digest),
      };
      const args = [JSON.stringify(settings)];
      return startMessageProcess({ ...options.program, args }, listener);
    },
  });

  return {
    name: 'embedded',
    isFree: () => true,
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const { responseSchema, seed, contextWindow, maxOutputTokens } = request;
      // The engine's own default is 0: always the likeliest token.
      const temperature = request.temperature ?? DEFAULT_TEMPERATURE;
      const grammar = responseSchema ? schemaGrammar(toWireSchema(responseSchema)) : null;
      const messages = chatMessages(request.messages);
      const order = { messages, grammar, temperature, seed, contextWindow, maxOutputTokens };
      const share = promptShare();
      for await (const reply of host.turn(order, signal)) {
        if (reply.type === 'text') yield { type: 'text', text: reply.text };
        else if (reply.type === 'reading') yield* share(reply.read, reply.of);
        else if (reply.type === 'finished') yield finished(reply);
        else throw failureError(reply.failure, reply.message, modelFile);
      }
    },
    describe: async (model) => {
      installedEngine();
      const { contextLength, digest, parameters } = describeFile(fs, modelFile);
      const capabilities = { tools: false, schema: true, thinking: false, images: false };
      const size = parameters === null ? {} : { parameters };
      return { model, digest, contextWindow: contextLength, capabilities, ...size };
    },
    list: async () => [modelFile],
    close: async () => host.end(),
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
    const isMissing = errorCode(error) === 'ENOENT';
    const what =
      error instanceof GgufError
        ? `${modelFile} is not a model in GGUF format: ${error.message}`
        : isMissing
          ? `there is no model file ${modelFile}`
          : `the model file ${modelFile} cannot be read: ${String((error as Error).message)}`;
    const hint = 'give the path of a GGUF file as embedded:FILE.gguf.';
    throw modelFault(what, hint, {
      cause: error,
      option: 'model',
    });
  }
}

/** Reduces neutral messages to what a chat template knows: system, user and assistant text. */
export function chatMessages(messages: readonly Message[]): readonly ChatMessage[] {
  return answeredCalls(messages).map(chatMessage);
}

function chatMessage(message: Message): ChatMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'user', content: resultWords(message) };
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(({ name, args }) =>
        JSON.stringify({ name, arguments: args }),
      );
      return {
        role: 'assistant',
        content: [message.content, ...calls].filter(Boolean).join('\n'),
      };
    }
  }
}
