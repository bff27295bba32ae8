/**
 * The model inside the engine process. Owns the loaded model, one context with one sequence, and the tokens of its
 * answers.
 * 1. One turn at a time.
 * 2. The sequence is only ever cut back to the tokens that it shares with the next prompt, never shifted. It may be
 *    replaced by a kept state that shares more.
 * 3. A prompt that does not fit is refused before any of it is read.
 */
import { thrownText } from '../../lib/callback.ts';
import { type ChatTemplate, chatTemplate } from './chat-template.ts';
import type {
  Context,
  JinjaModule,
  Llama,
  LlamaModule,
  LoadedModel,
  Sequence,
  TokenId,
} from './engine-api.ts';
import type { KeptStates } from './kept-states.ts';
import type { EngineFailure, EngineReply, EngineSettings, TurnOrder } from './protocol.ts';
import { textAssembler } from './text-assembler.ts';

/** Prompt tokens read between two checks of the abort signal. */
const READ_AT_ONCE = 64;
/** A shorter answer is useless, so a prompt that leaves less room does not fit. */
const MIN_ANSWER = 64;
/** Ollama's defaults, with which the prompts were measured. */
const TOP_K = 40;
const TOP_P = 0.9;
const REMEMBERED_ANSWERS = 200;

export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly failure: EngineFailure,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

export interface EmbeddedEngine {
  /** Answers one turn through `reply`; throws `EngineError`. */
  turn(order: TurnOrder, signal: AbortSignal, reply: (reply: EngineReply) => void): Promise<void>;
}

interface Loaded {
  readonly llama: Llama;
  readonly model: LoadedModel;
  readonly template: ChatTemplate;
}

export function createEmbeddedEngine(
  settings: EngineSettings,
  modules: { readonly llama: LlamaModule; readonly jinja: JinjaModule },
  states: KeptStates,
): EmbeddedEngine {
  const answers = answerMemory();
  let loading: Promise<Loaded> | null = null;
  const sequenceOf = sequenceHolder(settings.threads);

  return {
    turn: async (order, signal, reply) => {
      loading ??= load(settings, modules, answers.recall);
      const { llama, model, template } = await loading;
      const prompt = template.tokens(order.messages);
      const room = order.contextWindow - prompt.length;
      if (room < Math.min(MIN_ANSWER, order.maxOutputTokens)) {
        throw new EngineError(
          'context_overflow',
          `the prompt is ${prompt.length} tokens, the context window ${order.contextWindow}`,
        );
      }
      const started = performance.now();
      const sequence = await sequenceOf(model, order.contextWindow);
      const reused = await readPrompt(sequence, prompt, states, signal, (read, of) =>
        reply({ type: 'reading', id: order.id, read, of }),
      );
      const grammar = order.grammar && (await llama.createGrammar({ grammar: order.grammar }));
      const { LlamaGrammarEvaluationState } = modules.llama;
      const tokens = sequence.evaluate(prompt.slice(-1), {
        temperature: order.temperature,
        topK: TOP_K,
        topP: TOP_P,
        seed: order.seed,
        ...(grammar && {
          grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }),
        }),
      });
      const limit = Math.min(order.maxOutputTokens, room);
      const text = textAssembler(model, prompt);
      const tell = (piece: string): void => {
        if (piece !== '') reply({ type: 'text', id: order.id, text: piece });
      };
      const answer = await collect(tokens, limit, signal, (token) => tell(text.add(token)));
      tell(text.end());
      if (answer.reason !== 'aborted') answers.remember(text.whole(), answer.tokens);
      reply({
        type: 'finished',
        id: order.id,
        reason: answer.reason,
        counts: {
          input: prompt.length - reused,
          reused,
          output: answer.tokens.length,
          modelMs: Math.round(performance.now() - started),
        },
      });
    },
  };
}

/** Keeps one context; another size replaces it. */
function sequenceHolder(threads: number): (model: LoadedModel, size: number) => Promise<Sequence> {
  let current: { size: number; context: Context; sequence: Sequence } | null = null;
  return async (model, size) => {
    if (current?.size === size) return current.sequence;
    await current?.context.dispose();
    current = null;
    const context = await model
      .createContext({ contextSize: size, threads, sequences: 1 })
      .catch((error: unknown) => {
        throw new EngineError('out_of_memory', thrownText(error), { cause: error });
      });
    current = { size, context, sequence: context.getSequence() };
    return current.sequence;
  };
}

/** The tokens of recent answers, by their text. */
function answerMemory(): {
  remember(text: string, tokens: readonly TokenId[]): void;
  recall(text: string): readonly TokenId[] | undefined;
} {
  const answers = new Map<string, readonly TokenId[]>();
  return {
    remember: (text, tokens) => {
      answers.delete(text);
      answers.set(text, tokens);
      const [oldest] = answers.keys();
      if (answers.size > REMEMBERED_ANSWERS && oldest !== undefined) answers.delete(oldest);
    },
    recall: (text) => answers.get(text),
  };
}

/** Reads all of `prompt` but its last token into the sequence; returns how many tokens were there already. */
async function readPrompt(
  sequence: Sequence,
  prompt: readonly TokenId[],
  states: KeptStates,
  signal: AbortSignal,
  onRead: (read: number, of: number) => void,
): Promise<number> {
  const body = prompt.slice(0, -1);
  await states.prepare(sequence, body);
  await sequence.adaptStateToTokens(body, false);
  const reused = sequence.nextTokenIndex;
  const start = states.commonStart(body);
  let at = reused;
  while (at < body.length && !signal.aborted) {
    const end = Math.min(at + READ_AT_ONCE, at < start ? start : body.length);
    await sequence.evaluateWithoutGeneratingNewTokens(body.slice(at, end));
    at = end;
    if (at === start) await states.keepStart(sequence);
    onRead(at - reused, body.length - reused);
  }
  return reused;
}

/** Takes tokens until the model ends its answer, `limit` is reached or the turn is aborted. */
async function collect(
  tokens: AsyncIterable<TokenId>,
  limit: number,
  signal: AbortSignal,
  onToken: (token: TokenId) => void,
): Promise<{ tokens: readonly TokenId[]; reason: 'stop' | 'length' | 'aborted' }> {
  const taken: TokenId[] = [];
  if (signal.aborted) return { tokens: taken, reason: 'aborted' };
  for await (const token of tokens) {
    if (signal.aborted) return { tokens: taken, reason: 'aborted' };
    if (taken.length === limit) return { tokens: taken, reason: 'length' };
    taken.push(token);
    onToken(token);
  }
  return { tokens: taken, reason: 'stop' };
}

async function load(
  settings: EngineSettings,
  modules: { readonly llama: LlamaModule; readonly jinja: JinjaModule },
  answerTokens: (text: string) => readonly TokenId[] | undefined,
): Promise<Loaded> {
  const llama = await modules.llama
    .getLlama({
      gpu: settings.gpu ? 'auto' : false,
      build: 'never',
      skipDownload: true,
      maxThreads: settings.threads,
      progressLogs: false,
      logger: () => {},
    })
    .catch((error: unknown) => {
      throw new EngineError('engine_broken', thrownText(error), { cause: error });
    });
  const model = await llama.loadModel({ modelPath: settings.modelFile }).catch((error: unknown) => {
    const isMemory = error instanceof Error && error.name === 'InsufficientMemoryError';
    const failure = isMemory ? 'out_of_memory' : 'model_unreadable';
    throw new EngineError(failure, thrownText(error), { cause: error });
  });
  const source = model.fileInfo.metadata.tokenizer?.chat_template;
  return { llama, model, template: chatTemplate(model, modules.jinja, source, answerTokens) };
}
