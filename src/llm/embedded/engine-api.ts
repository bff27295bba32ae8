/** The part of node-llama-cpp 3 and @huggingface/jinja that we use; neither is a dependency. */

export type TokenId = number;

export interface GrammarState {
  clone(): GrammarState;
}

export interface SequenceOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed: number;
  readonly grammarEvaluationState?: GrammarState;
}

export interface Sequence {
  readonly nextTokenIndex: number;
  /** The tokens that the sequence holds: prompt and answer. */
  readonly contextTokens: readonly TokenId[];
  adaptStateToTokens(tokens: readonly TokenId[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly TokenId[]): Promise<void>;
  /** Writes the state of the sequence, with its tokens. */
  saveStateToFile(path: string): Promise<unknown>;
  /** The file must be of the same model; another one can crash the process. */
  loadStateFromFile(path: string, accept: { readonly acceptRisk: true }): Promise<void>;
  clearHistory(): Promise<void>;
  /** Ends by itself at an end-of-generation token, which it does not yield. */
  evaluate(tokens: readonly TokenId[], options: SequenceOptions): AsyncIterable<TokenId>;
}

export interface Context {
  readonly contextSize: number;
  getSequence(): Sequence;
  dispose(): Promise<void>;
}

export interface Tokenizer {
  tokenize(text: string, specialTokens: boolean): TokenId[];
  detokenize(
    tokens: readonly TokenId[],
    specialTokens: boolean,
    lastTokens: readonly TokenId[],
  ): string;
  readonly tokens: {
    readonly bos: TokenId | null;
    readonly bosString: string | null;
    readonly eosString: string | null;
    readonly shouldPrependBosToken: boolean;
  };
}

export interface LoadedModel extends Tokenizer {
  readonly fileInfo: {
    readonly metadata: { readonly tokenizer?: { readonly chat_template?: string } };
  };
  createContext(options: {
    readonly contextSize: number;
    readonly threads: number;
    readonly sequences: 1;
  }): Promise<Context>;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LoadedModel>;
  createGrammar(options: { readonly grammar: string }): Promise<object>;
}

export interface LlamaModule {
  getLlama(options: {
    readonly gpu: 'auto' | false;
    readonly build: 'never';
    readonly skipDownload: true;
    readonly maxThreads: number;
    readonly progressLogs: false;
    readonly logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  readonly LlamaGrammarEvaluationState: new (options: {
    readonly model: LoadedModel;
    readonly grammar: object;
  }) => GrammarState;
}

export interface JinjaModule {
  readonly Template: new (
    source: string,
  ) => { render(context: { readonly [name: string]: unknown }): string };
}
