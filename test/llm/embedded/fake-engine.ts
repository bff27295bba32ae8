// A data folder with a stand-in for node-llama-cpp: one token a character, answers scripted by the
// prompt's last line. The engine process around it is the real one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { systemClock } from '../../../src/lib/clock.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import {
  type EmbeddedOptions,
  embeddedProvider,
} from '../../../src/llm/embedded/embedded-provider.ts';
import type { Provider } from '../../../src/llm/provider.ts';

const ENGINE = String.raw`
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const log = (line) => appendFileSync(new URL('./log.txt', import.meta.url), line + '\n');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const turn = () => new Promise((resolve) => setImmediate(resolve));
const EOS = 0;
const codes = (text) => [...text].map((character) => character.codePointAt(0));
class Sequence {
  state = [];
  get nextTokenIndex() { return this.state.length; }
  get contextTokens() { return [...this.state]; }
  async saveStateToFile(path) { writeFileSync(path, JSON.stringify(this.state)); }
  async loadStateFromFile(path) {
    const text = readFileSync(path, 'utf8');
    if (text === 'CRASH') process.abort();
    this.state = JSON.parse(text);
  }
  async clearHistory() { this.state = []; }
  async adaptStateToTokens(tokens, allowShift) {
    if (allowShift) throw new Error('shifting is not exact');
    let same = 0;
    while (same < this.state.length && this.state[same] === tokens[same]) same += 1;
    this.state = this.state.slice(0, same);
  }
  async evaluateWithoutGeneratingNewTokens(tokens) {
    if (String.fromCodePoint(...tokens).includes('READ SLOWLY')) await sleep(60_000);
    this.state.push(...tokens);
  }
  async *evaluate(tokens, options) {
    this.state.push(...tokens);
    const prompt = String.fromCodePoint(...this.state.filter((token) => token > 0));
    const question = prompt.split('user:').at(-1).split('assistant:')[0].trim();
    log('read ' + JSON.stringify({ question, seed: options.seed, grammar: options.grammarEvaluationState?.text }));
    if (question === 'CRASH') process.abort();
    if (question === 'THROW') throw new Error('decode failed');
    const answer = question === 'ENDLESS' ? null : codes('you said ' + question);
    for (let at = 0; answer === null || at < answer.length; at += 1) {
      const token = answer === null ? 97 : answer[at];
      // What never ends would flood who reads it.
      await (answer === null ? sleep(1) : turn());
      yield token;
      this.state.push(token);
    }
  }
}
class State { constructor({ grammar }) { this.text = grammar.grammar; } }
export { State as LlamaGrammarEvaluationState };
export async function getLlama(options) {
  log('start ' + JSON.stringify({ threads: options.maxThreads, gpu: options.gpu, build: options.build }));
  return {
    createGrammar: async (grammar) => grammar,
    loadModel: async ({ modelPath }) => ({
      fileInfo: { metadata: { tokenizer: {} } },
      tokens: { bos: null, bosString: '', eosString: '', shouldPrependBosToken: false },
      tokenize: codes,
      detokenize: (tokens) => String.fromCodePoint(...tokens),
      createContext: async ({ contextSize }) => {
        log('context ' + contextSize);
        const sequence = new Sequence();
        return { contextSize, getSequence: () => sequence, dispose: async () => {} };
      },
    }),
  };
}
`;

const JINJA = String.raw`
exports.Template = class {
  render({ messages }) {
    return messages.map(({ role, content }) => role + ':' + content + '\n').join('') + 'assistant:';
  }
};
`;

export interface FakeEngine {
  readonly folder: string;
  readonly modelFile: string;
  readonly logFile: string;
  provider(options?: Partial<EmbeddedOptions>): Provider;
  remove(): void;
}

let child: string | null = null;

/** The script of the engine process, built once for all tests. */
function childOnce(): string {
  child ??= builtChild();
  return child;
}

function builtChild(): string {
  const { outputFiles } = buildSync({
    entryPoints: ['src/llm/embedded/child.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** A new folder with the script of the engine process, and a stand-in engine beside it. */
export function fakeEngine(): FakeEngine {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-embedded-'));
  const modules = join(folder, 'embedded', 'node_modules');
  const engine = join(modules, 'node-llama-cpp', 'dist');
  const jinja = join(modules, '@huggingface', 'jinja');
  mkdirSync(engine, { recursive: true });
  mkdirSync(jinja, { recursive: true });
  writeFileSync(join(folder, 'embedded', 'installed.json'), '{}');
  writeFileSync(join(modules, 'node-llama-cpp', 'package.json'), '{ "type": "module" }');
  writeFileSync(join(engine, 'index.js'), ENGINE);
  writeFileSync(join(engine, 'log.txt'), '');
  writeFileSync(join(jinja, 'package.json'), '{ "main": "index.cjs" }');
  writeFileSync(join(jinja, 'index.cjs'), JINJA);
  const modelFile = join(folder, 'model.gguf');
  writeFileSync(modelFile, ggufFile('qwen2', 32768));
  const childScript = join(folder, 'embedded-child.mjs');
  writeFileSync(childScript, childOnce());
  return {
    folder,
    modelFile,
    logFile: join(engine, 'log.txt'),
    provider: (options = {}) =>
      embeddedProvider({
        modelFile,
        dataFolder: folder,
        threads: 2,
        gpu: false,
        fs: nodeFileSystem,
        clock: systemClock,
        program: {
          nodeExecutable: process.execPath,
          script: childScript,
          cwd: folder,
          env: { SystemRoot: process.env.SystemRoot ?? '' },
        },
        ...options,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The head of a GGUF file: a string, an array and a number, as real files have them. */
export function ggufFile(architecture: string, contextLength: number): Buffer {
  const u32 = (value: number): Buffer => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32LE(value);
    return buffer;
  };
  const u64 = (value: number): Buffer => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigUInt64LE(BigInt(value));
    return buffer;
  };
  const text = (value: string): Buffer => Buffer.concat([u64(value.length), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(0),
    u64(3),
    text('general.architecture'),
    u32(8),
    text(architecture),
    text('general.tags'),
    u32(9),
    u32(8),
    u64(2),
    text('code'),
    text('chat'),
    text(`${architecture}.context_length`),
    u32(4),
    u32(contextLength),
  ]);
}
