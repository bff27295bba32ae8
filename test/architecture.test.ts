import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROVIDER_NAMES } from '../src/host/providers/providers.ts';
import { Capability } from '../src/schema/actions.ts';
import type { RunCmdOptions } from '../src/tools/builtin/run-cmd.ts';
import { builtinTools } from '../src/tools/registry.ts';
import {
  driverComparisons,
  importsOfOneDriver,
  traitsLookedUp,
} from './support/architecture/drivers.ts';
import { flagsNamed } from './support/architecture/flags.ts';
import { forbiddenGlobals } from './support/architecture/globals.ts';
import { LIMITS, tooLong } from './support/architecture/lengths.ts';
import {
  capabilitiesByName,
  providersByName,
  toolsByName,
  twins,
  typesNamedTwice,
  typesRenamed,
} from './support/architecture/names.ts';
import { commandsNamed } from './support/architecture/program-names.ts';
import {
  importCycles,
  importsGoingUp,
  importsOfAllZod,
  importsOutOfPlace,
} from './support/architecture/rooms.ts';
import { type SourceFile, sourceFile } from './support/architecture/source-file.ts';
import { LANGUAGE_EXCEPTIONS, languageWords } from './support/architecture/words.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;
const SILENCE = /^(console|process)\./;
const CLOCK_AND_CHANCE = /^(Date\.now|new Date|Math\.random|performance\.now|crypto\.random\w*)$/;

/** Where the outside world is let in, so that everything else can be handed a fake one. */
const ADAPTERS: { readonly [path: string]: RegExp } = {
  'src/lib/clock.ts': /^(Date\.now|process\.hrtime)$/,
  'src/lib/files/file-system.ts': /^process\.platform$/,
  'src/lib/process-identity.ts': /^process\.(pid|kill)$/,
  // What a library call that names no machine starts programs with, as any program would.
  'src/run/machine.ts': /^process\.(env|execPath)$/,
  'src/processes/operating-system.ts': /^process\.(pid|kill|platform)$/,
  // Clients that a server has lost do not all come back in one moment.
  'src/server/client/events-of.ts': /^Math\.random$/,
  'src/page/wire/real-browser.ts': /^(Date\.now|Math\.random|crypto\.randomUUID)$/,
  'src/llm/embedded/engine.ts': /^performance\.now$/,
  // A program of its own, started beside the run.
  'src/llm/embedded/child.ts': /^process\./,
};

/** Prices by provider: what a model costs depends on who serves it. */
const PROVIDERS_BY_NAME = [
  'src/host/providers/providers.ts',
  'src/llm/models/known-models.ts',
  'src/llm/models/turn-cost.ts',
];

const TOOL_NAMES = builtinTools({} as RunCmdOptions).map(({ name }) => name);

/** Until conversations have a driver. */
const TRAITS_BY_NAME: readonly string[] = ['src/run/chat/settings.ts'];

const CAPABILITIES_BY_NAME = ['showing', 'asking'].map((name) => `src/round/chat/${name}.ts`);

/**
 * `give_up` there is what a failover decides, not the verb of a driver; a template's plan names tools as a person
 * would write them.
 */
const OTHER_WORDS: readonly string[] = [
  'src/llm/failover/decide.ts',
  'src/cli/templates/built-in.ts',
];

function filesIn(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/fixtures/'))
    .map((path) => sourceFile(path, readFileSync(path, 'utf8')));
}

const source = filesIn('src');
const sticks = ['bench', 'eval'].flatMap(filesIn);
const tests = filesIn('test');
const isTerminalSide = ({ path }: SourceFile) => /^src\/(cli\/|bin\.ts)/.test(path);
const library = source.filter((file) => !isTerminalSide(file));

describe('the house', () => {
  test('has its files in known rooms, and imports go down', () => {
    expect(importsGoingUp(source)).toEqual([]);
  });

  test('has no import cycle', () => {
    expect(importCycles(source)).toEqual([]);
  });

  test('keeps wire formats, processes, the disk and the terminal in their places', () => {
    expect(importsOutOfPlace(source)).toEqual([]);
  });

  test('takes of zod what it uses', () => {
    expect(importsOfAllZod(source)).toEqual([]);
  });

  test('is silent and reads no environment outside the command line', () => {
    expect(forbiddenGlobals(library, SILENCE, ADAPTERS)).toEqual([]);
  });

  test('reads clocks and chance only where they come in as arguments', () => {
    expect(forbiddenGlobals(library, CLOCK_AND_CHANCE, ADAPTERS)).toEqual([]);
  });

  test('looks its driver up in one place, and nothing else asks for a mode by its name', () => {
    expect(driverComparisons(source)).toEqual([]);
    expect(importsOfOneDriver(source)).toEqual([]);
    expect(traitsLookedUp(source.filter(({ path }) => !TRAITS_BY_NAME.includes(path)))).toEqual([]);
  });

  test('has files of at most 300 lines and functions of at most 60, but for one exhaustive switch', () => {
    expect(tooLong(source, LIMITS)).toEqual([]);
    expect(tooLong(sticks, LIMITS)).toEqual([]);
    // Tables of cases are long, and a `describe` is one function.
    expect(tooLong(tests, { file: 400, function: NO_LIMIT, case: NO_LIMIT })).toEqual([]);
  });

  test('has no file beside a folder of its name', () => {
    expect(twins(source)).toEqual([]);
  });

  test('has one name for one type, and one type of one name', () => {
    expect(typesNamedTwice(source)).toEqual([]);
    expect(typesRenamed(source)).toEqual([]);
  });

  test('knows providers by name in one table, and each in its own folder', () => {
    expect(providersByName(source, PROVIDER_NAMES, PROVIDERS_BY_NAME)).toEqual([]);
  });

  test('knows tools by name only in their own room, and its own verbs only in the drivers', () => {
    const bound = source.filter(({ path }) => !OTHER_WORDS.includes(path));
    expect(toolsByName(bound, TOOL_NAMES)).toEqual([]);
  });

  test('knows what a tool can be asked for by its words only where tools, records and questions are made', () => {
    const bound = source.filter(({ path }) => !CAPABILITIES_BY_NAME.includes(path));
    expect(capabilitiesByName(bound, Capability.options)).toEqual([]);
  });

  test('knows file endings, test runners and names of languages only in their room', () => {
    expect(languageWords(source)).toEqual([]);
  });

  test('names the flags of the command line there alone, and its own name before a command in one file', () => {
    // The page stands in a browser: no flag is typed there.
    const typed = source.filter(({ path }) => path.endsWith('.ts'));
    expect(flagsNamed(typed)).toEqual([]);
    expect(commandsNamed(typed)).toEqual([]);
  });

  test('has no file that Windows cannot have, as a path of Windows taken for a name on this system', () => {
    const names = readdirSync(process.cwd());
    expect(names.filter((name) => /[<>:"|?*\\]/.test(name))).toEqual([]);
  });

  test('lets no exception stand that nothing needs any more', () => {
    for (const [path, allowed] of Object.entries(ADAPTERS)) {
      const files = source.filter((file) => file.path === path);
      expect(forbiddenGlobals(files, allowed), path).not.toEqual([]);
    }
    for (const path of PROVIDERS_BY_NAME) {
      const files = source.filter((file) => file.path === path);
      expect(providersByName(files, PROVIDER_NAMES, []), path).not.toEqual([]);
    }
    for (const path of TRAITS_BY_NAME)
      expect(traitsLookedUp(source.filter((file) => file.path === path)), path).not.toEqual([]);
    for (const path of CAPABILITIES_BY_NAME) {
      const files = source.filter((file) => file.path === path);
      expect(capabilitiesByName(files, Capability.options), path).not.toEqual([]);
    }
    for (const path of OTHER_WORDS) {
      const files = source.filter((file) => file.path === path);
      expect(toolsByName(files, TOOL_NAMES), path).not.toEqual([]);
    }
    for (const exception of LANGUAGE_EXCEPTIONS) {
      const others = LANGUAGE_EXCEPTIONS.filter((other) => other !== exception);
      const files = source.filter(({ path }) => exception.where.test(path));
      expect(languageWords(files, others), String(exception.where)).not.toEqual([]);
    }
  });
});

describe('each rule finds its violation', () => {
  const one = (path: string, text: string) => [sourceFile(path, text)];

  test.each([
    ['up', 'src/lib/a.ts', "import { b } from '../tools/b.ts';"],
    ['up, types only', 'src/tools/a.ts', "import type { B } from '../agent.ts';"],
    ['up, in a type', 'src/schema/a.ts', "export type A = import('../steps/b.ts').B;"],
    ['up, lazily', 'src/steps/a.ts', "export const b = () => import('../cli/b.ts');"],
    ['up, by a re-export', 'src/tools/a.ts', "export * from '../probe/b.ts';"],
    ['up, by a re-exported type', 'src/llm/x/a.ts', "export type { B } from '../../tools/b.ts';"],
    ['up, for its effect', 'src/workspace/a.ts', "import '../prompts/b.ts';"],
    ['from no room', 'src/helpers/a.ts', ''],
  ])('an import %s', (_what, path, text) => {
    expect(importsGoingUp(one(path, text))).toHaveLength(1);
  });

  test('and lets imports pass that go down', () => {
    const text = "import '../schema/b.ts'; import './c.ts'; import '../processes/contract.ts';";
    expect(importsGoingUp(one('src/tools/a.ts', text))).toEqual([]);
  });

  test('a cycle, types included', () => {
    const files = [
      sourceFile('src/lib/a.ts', "import './b.ts';"),
      sourceFile('src/lib/b.ts', "import type { C } from './c.ts';"),
      sourceFile('src/lib/c.ts', "export * from './a.ts';"),
    ];
    expect(importCycles(files)).toEqual([
      'src/lib/a.ts -> src/lib/b.ts -> src/lib/c.ts -> src/lib/a.ts',
    ]);
  });

  test.each([
    ['src/tools/a.ts', 'undici'],
    ['src/llm/retry.ts', 'ollama'],
    ['src/tools/builtin/run-cmd.ts', 'node:child_process'],
    ['src/agent.ts', 'commander'],
    ['src/round/act.ts', 'node:process'],
    ['src/journal/journal.ts', 'node:fs'],
  ])('in %s an import of %s', (path, name) => {
    expect(importsOutOfPlace(one(path, `import '${name}';`))).toHaveLength(1);
  });

  test('an import of all of zod, and lets its types pass', () => {
    expect(importsOfAllZod(one('src/schema/a.ts', "import { z } from 'zod';"))).toHaveLength(1);
    const fine = "import * as z from 'zod'; import type { z as Z } from 'zod';";
    expect(importsOfAllZod(one('src/schema/a.ts', fine))).toEqual([]);
    for (const more of ['form(z, about)', 'const { string, int } = z;'])
      expect(importsOfAllZod(one('src/schema/a.ts', `${fine}\n${more}`))).toHaveLength(1);
  });

  test.each([
    ["state.settings?.mode === 'json'", 'json'],
    ["'native' !== mode", 'native'],
    ["name === 'guided'", 'guided'],
    ["driver.name !== 'free'", 'free'],
  ])('a question who leads: %s', (text, word) => {
    expect(driverComparisons(one('src/steps/a.ts', `const is = ${text};`))).toEqual([
      `src/steps/a.ts:1 compares with '${word}'`,
    ]);
  });

  test('a question who leads, by cases', () => {
    const text = "switch (toolMode) { case 'json': break; case 'auto': break; }";
    expect(driverComparisons(one('src/round/a.ts', text))).toHaveLength(1);
  });

  test('and lets settings be compared with each other, and forms and prices that share a word', () => {
    const text = "const is = mode === before.mode || extension === 'json' || price === 'free';";
    expect(driverComparisons(one('src/round/a.ts', text))).toEqual([]);
  });

  test.each([
    ['src/round/a.ts', '../drivers/guided/words.ts'],
    ['src/drivers/free/a.ts', '../guided/words.ts'],
    ['src/drivers/a.ts', './free/free.ts'],
  ])('in %s an import of one driver: %s', (path, name) => {
    expect(importsOfOneDriver(one(path, `import '${name}';`))).toHaveLength(1);
  });

  test('and lets a driver import what is its own, and the lookup both', () => {
    expect(importsOfOneDriver(one('src/drivers/free/a.ts', "import './b.ts';"))).toEqual([]);
    const both = "import './free/free.ts'; import './guided/guided.ts';";
    expect(importsOfOneDriver(one('src/drivers/driver-of.ts', both))).toEqual([]);
  });

  test('a trait of a driver that is not asked of the driver', () => {
    const text = "import { type DriverName, traitsOf as of } from '../schema/driver.ts';";
    expect(traitsLookedUp(one('src/round/a.ts', text))).toHaveLength(1);
    expect(
      traitsLookedUp(one('src/agent.ts', "import { TRAITS } from './schema/driver.ts';")),
    ).toHaveLength(1);
    for (const path of ['src/drivers/a.ts', 'src/steps/a.ts', 'src/context-manager/fold/a.ts'])
      expect(traitsLookedUp(one(path, text))).toEqual([]);
  });

  test.each([
    ['console.log(1);', 'console.log'],
    ['const leave = () => { process.exit(1); };', 'process.exit'],
    ["const home = process.env['HOME'];", 'process.env'],
    ["process['exit']();", 'process.[…]'],
    ['const f = (process: { pid: number }) => process.pid; console.error(f);', 'console.error'],
  ])('a library that is not silent: %s', (text, what) => {
    expect(forbiddenGlobals(one('src/round/act.ts', text), SILENCE)).toEqual([
      `src/round/act.ts:1 uses ${what}`,
    ]);
  });

  test.each(['Date.now()', 'Math.random()', 'new Date()', 'performance.now()'])('%s', (text) => {
    expect(forbiddenGlobals(one('src/steps/a.ts', text), CLOCK_AND_CHANCE)).toHaveLength(1);
  });

  test('and lets a date be made from a number', () => {
    expect(forbiddenGlobals(one('src/steps/a.ts', 'new Date(0)'), CLOCK_AND_CHANCE)).toEqual([]);
    const usual = 'const a = ({ now = Date.now, b } = {}, roll = Math.random) => now() + roll();';
    expect(forbiddenGlobals(one('src/steps/a.ts', usual), CLOCK_AND_CHANCE)).toHaveLength(2);
  });

  test('a file beside a folder of its name', () => {
    const files = ['src/cli/a.ts', 'src/cli/a/b.ts', 'src/cli/c.ts'];
    expect(twins(files.map((path) => sourceFile(path, '')))).toEqual([
      'src/cli/a.ts stands beside a folder of its name',
    ]);
  });

  test.each([
    ['src/cli/a.ts', "if (name === 'ollama') go();"],
    ['src/host/a.ts', 'const names = [`openai`];'],
    ['src/llm/openai/a.ts', "const name = 'anthropic';"],
  ])('in %s a provider known by name: %s', (path, text) => {
    expect(providersByName(one(path, text), PROVIDER_NAMES, [])).toHaveLength(1);
    expect(providersByName(one(path, text), PROVIDER_NAMES, [path])).toEqual([]);
  });

  test('and lets a provider know itself, and a sentence hold the word', () => {
    const text = "const name = 'openai'; const help = 'an openai server';";
    expect(providersByName(one('src/llm/openai/a.ts', text), PROVIDER_NAMES, [])).toEqual([]);
  });

  test.each([
    ['a file ending', "const isOurs = path.endsWith('.py');"],
    ['a file ending in a pattern', 'const isOurs = /\\.(?:md|[cm]?[jt]sx?)$/.test(path);'],
    ['a test runner', "const proof = 'python -m pytest -q';"],
    ['a test runner in a template', 'const proof = `node --test`;'],
    ['a test runner in a pattern', 'const runs = /\\b(?:pytest|unittest)\\b/;'],
    ['the name of a language', "if (language.name === 'javascript') start();"],
    ['the mark of a package', 'const isMark = /(^|\\/)__init__/.test(path);'],
    ['a program', "const found = await find('npm');"],
  ])('a language that is known outside its room: %s', (_what, text) => {
    expect(languageWords(one('src/steps/a.ts', text))).toHaveLength(1);
    expect(languageWords(one('src/languages/x/a.ts', text))).toEqual([]);
  });

  test('and lets modules be imported, and files of our own be named', () => {
    const text = "import './b.ts'; const file = 'history.jsonl'; // .py and pytest";
    expect(languageWords(one('src/steps/a.ts', text))).toEqual([]);
  });

  test('a capability of a tool that is compared with', () => {
    const text = "const isRun = does === 'runs_commands';";
    for (const path of ['src/decompose/a.ts', 'src/round/a.ts', 'src/evidence/a.ts'])
      expect(capabilitiesByName(one(path, text), Capability.options)).toHaveLength(1);
    const isAsked = 'const isRun = isCommand(step); const name = names.runs_commands;';
    expect(capabilitiesByName(one('src/decompose/a.ts', isAsked), Capability.options)).toEqual([]);
    expect(capabilitiesByName(one('src/tools/a.ts', text), Capability.options)).toEqual([]);
  });

  test.each([
    ['src/steps/a.ts', "const isWrite = tool === 'write_file';"],
    ['src/prompts/a.ts', 'const words = `Read it again with read_file.`;'],
    ['src/cli/a.ts', 'const verbs = { run_cmd: 1 };'],
    ['src/run/a.ts', "import { writeFile } from '../tools/builtin/write-file.ts';"],
    ['src/run/a.ts', "import type { RunCmdOptions } from '../tools/builtin/run-cmd.ts';"],
    ['src/round/a.ts', "const ends = (name: string) => name === 'mark_subtask_complete';"],
    ['src/schema/a.ts', "const verb = 'set_plan';"],
    [
      'src/languages/go/a.ts',
      "import { markSubtaskComplete } from '../../tools/builtin/mark-subtask-complete.ts';",
    ],
  ])('in %s a tool known by name: %s', (path, text) => {
    expect(toolsByName(one(path, text), TOOL_NAMES)).toHaveLength(1);
  });

  test.each([
    [
      'src/tools/a.ts',
      "import { readFile } from './builtin/read-file.ts'; const name = 'read_file';",
    ],
    ['src/schema/a.ts', "const step = { action: 'write_file' };"],
    ['src/languages/go/a.ts', "const instead = 'Use the tool list_dir.';"],
    ['src/drivers/free/a.ts', "const verb = 'set_plan';"],
    ['src/steps/a.ts', "const text = 'rewrite_files, read_files and a give_up_at';"],
  ])('and in %s lets pass: %s', (path, text) => {
    expect(toolsByName(one(path, text), TOOL_NAMES)).toEqual([]);
  });
});
