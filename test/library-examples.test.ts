import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as compat from '../src/compat.ts';
import * as root from '../src/index.ts';
import { blocksOf, pages } from './support/markdown.ts';

const examples = pages()
  .flatMap(blocksOf)
  .filter(
    ({ language, place }) => language === 'ts' && /^docs\/(internals\/)?library\.md/.test(place),
  );

const call = (name: string, args: object) => ({ calls: [{ name, args: { ...args } }] });
const replies = [
  call('set_plan', {
    tasks: [{ description: 'greet', subtasks: [{ do: 'write it', files: ['hello.txt'] }] }],
  }),
  call('write_file', { path: 'hello.txt', content: 'hello\n' }),
  call('mark_subtask_complete', { success: true, reason: 'written' }),
];

const library = { ...root, ...compat };

/** The library with a model and a folder of the test in the place of those that the examples name. */
function stage(): typeof library {
  const world = library.memoryWorkspace();
  const here = { workspace: world.workspace, machine: world.machine };
  const played = () => ({ provider: library.playedProvider(replies), model: 'played' });
  const placed = <Options extends object>(options: Options): Options =>
    'machine' in options ? options : { ...options, ...here };
  const modelled = <Options extends object>(options: Options): Options =>
    'provider' in options ? options : { ...options, ...played() };
  return {
    ...library,
    runGoal: (options) => library.runGoal(modelled(placed(options))),
    resumeRun: (options) => library.resumeRun(modelled(placed(options))),
    openRun: (options) => library.openRun(modelled(placed(options))),
    resumeAt: (options) => library.resumeAt(modelled(placed(options))),
    createSession: (options) => library.createSession(modelled(placed(options))),
    AIAgent: Object.freeze({
      create: (options: compat.AIAgentOptions) =>
        library.AIAgent.create({
          ...{ ...options, machine: world.machine, models: ['played'] },
          providers: [library.playedProvider([{ text: 'Hello.' }])],
        }),
    }),
    runAgent: ({ config, ...call }) => {
      const { sessions: _sessions, ...rest } = modelled(placed(config));
      const provider = library.playedProvider([{ text: 'Hello.' }]);
      return library.runAgent({ ...call, config: { ...rest, provider } });
    },
    executeTurn: (request) =>
      library.executeTurn({
        ...{ ...request, model: 'played', machine: world.machine },
        provider: library.playedProvider([{ text: 'Hello.' }]),
      }),
    applyRun: (selection) => library.applyRun(placed(selection)),
    listSessions: (where) => library.listSessions(placed(where)),
    transcript: (selection) => library.transcript(placed(selection)),
    loadConfig: (selection) => library.loadConfig(placed(selection)),
    ensureWorkspace: (selection) =>
      library.ensureWorkspace({ ...selection, machine: world.machine }),
    scaffoldBootstrapFiles: (where) => library.scaffoldBootstrapFiles(placed(where)),
    status: (where) => library.status(placed(where)),
    history: (where) => library.history(placed(where)),
    listRuns: (where) => library.listRuns(placed(where)),
    diff: (where) => library.diff(placed(where)),
    undo: (where) => library.undo(placed(where)),
    models: async () => [],
  };
}

const headOf = (names: readonly string[]): string => `
const { ${names.join(', ')} } = globalThis.tardigradeOnStage;
const said = [];
const say = (...words) => said.push(words);
const console = { log: say, warn: say, error: say };
const process = { env: {}, execPath: globalThis.process.execPath, stdout: { write: (text) => said.push(text) } };
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tardigrade-examples-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(code: string, name: string): Promise<unknown> {
  const compiled = await transform(code, { loader: 'ts', format: 'esm', target: 'node20' });
  const zod = pathToFileURL(createRequire(import.meta.url).resolve('zod')).href;
  const imported = /import \{([^}]*)\} from "tardigrade-agent(?:\/compat)?";\n/g;
  const names = [...compiled.code.matchAll(imported)].map(([, list = '']) => list.trim());
  const body = compiled.code.replace(imported, '').replaceAll('"zod"', JSON.stringify(zod));
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, headOf(names) + body);
  return await import(/* @vite-ignore */ pathToFileURL(file).href);
}

describe('each example of the pages about the library runs', () => {
  const global_ = globalThis as { tardigradeOnStage?: typeof library };
  for (const [at, { code, place }] of examples.entries()) {
    test(place, async () => {
      const staged = stage();
      global_.tardigradeOnStage = staged;
      try {
        // What an example goes on with has been there before.
        if (/resumeRun|status\(|undo\(where/.test(code))
          await staged.runGoal({ goal: 'Greet', workspace: '', model: '' });
        await expect(run(code, `example-${at}`)).resolves.toBeDefined();
      } finally {
        delete global_.tardigradeOnStage;
      }
    });
  }
});

test('every function that the library offers stands in an example', () => {
  const all = pages()
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'ts')
    .map(({ code }) => code)
    .join('\n');
  const functions = Object.entries(library).filter(([, value]) => typeof value === 'function');
  const missing = functions
    .map(([name]) => name)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(all));
  expect(missing).toEqual([]);
});
