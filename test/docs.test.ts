import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { apiPage, ENTRIES } from '../scripts/lib/api-page.ts';
import { withTables } from '../scripts/lib/option-tables.ts';
import { parseArguments } from '../src/cli/command-line/arguments.ts';
import { checkInvocation } from '../src/cli/command-line/invocation.ts';
import { RUN_FORMAT } from '../src/context-manager/run-format.ts';
import { checkForm } from '../src/host/config/check.ts';
import { parseDocument } from '../src/host/config/document.ts';
import { CHAIN_START, decodeLine } from '../src/journal/lines/framing.ts';
import { COMMAND_NAMES } from '../src/options/commands.ts';
import { optionNamesFor } from '../src/options/option-values.ts';
import { OPTIONS } from '../src/options/table.ts';
import { EXIT, EXIT_OF_ERROR } from '../src/run/exit-codes.ts';
import { COMMON_PORTS, RUN_PORTS } from '../src/run/start/common-options.ts';
import { ActionStatus, Capability, Touches } from '../src/schema/actions.ts';
import {
  DEFAULT_MAX_ROUNDS,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOOL_MODE,
} from '../src/schema/config.ts';
import { StreamBody } from '../src/schema/events/stream.ts';
import { Plan, Proof, Subtask, SubtaskStep, Task } from '../src/schema/plan.ts';
import { JournalRecord, MessageEnding } from '../src/schema/records.ts';
import { splitCommand } from '../src/tools/commands/split-command.ts';
import {
  anchorsOf,
  type Block,
  blocksOf,
  headingsOf,
  inlineCodeOf,
  linksOf,
  pages,
  tableOf,
} from './support/markdown.ts';

/** May only grow, and fall where a page says less on purpose. */
const CHECKED = 74;

const all = pages();
const page = (path: string) => all.find((each) => each.path === path)!;
const blocks = all.flatMap(blocksOf);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);
const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Throws what the command line itself would say. */
async function parseAgent(args: readonly string[]): Promise<void> {
  // In a text that word stands for what should be done; typed as it is, it is refused.
  const parsed = await parseArguments(args.map((word) => (word === 'goal' ? 'a goal' : word)));
  if (parsed.kind === 'command') checkInvocation(parsed, process.cwd());
}

async function checkCommand(line: string): Promise<void> {
  const split = splitCommand(line, 'linux');
  if (!split.ok) throw new Error(split.reason);
  const { program, args } = split;
  if (program === 'agent') return parseAgent(args);
  const words = [program, ...args].join(' ');
  const script = /^npm (?:run )?([\w:]+)/.exec(words)?.[1] ?? '';
  const isKnown =
    (program === 'npm' && Object.hasOwn(scripts, script)) ||
    /^npm (ci|link)$/.test(words) ||
    words === `npm install -g ./tardigrade-agent-${version}.tgz` ||
    /^(echo|ollama pull) /.test(words);
  if (!isKnown) throw new Error(`"${line}" is not checked: mark the block as console`);
}

async function problemOf(line: string): Promise<string> {
  try {
    for (const part of line.split(/\s(?:\||&&)\s(?![^"]*"$)/)) await checkCommand(part);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the pages', () => {
  test('mark every block with a language that is checked, or as a transcript', () => {
    const checked = ['sh', 'console', 'json', 'jsonc', 'jsonl', 'ts'];
    expect(blocks.filter(({ language }) => !checked.includes(language))).toEqual([]);
  });

  test('lose none of the blocks that are checked, wherever a page moves', () => {
    const isTranscript = ({ language }: Block) => language === 'console';
    expect(blocks.filter((block) => !isTranscript(block)).length).toBeGreaterThanOrEqual(CHECKED);
  });

  test('hold only commands that the command line takes', async () => {
    const problems: string[] = [];
    for (const { code, place } of inLanguage('sh')) {
      for (const line of code.split('\n').filter((each) => each.trim() !== '')) {
        const problem = await problemOf(line);
        if (problem !== '') problems.push(`${place}: ${line}: ${problem}`);
      }
    }
    expect(problems).toEqual([]);
  });

  test('name in running text only commands and scripts that exist', async () => {
    const problems: string[] = [];
    for (const each of all) {
      for (const code of inlineCodeOf(each)) {
        const isCommand = /^(agent|npm run) [^<]*$/.test(code) && !code.includes('NAME');
        const problem = isCommand ? await problemOf(code) : '';
        if (problem !== '') problems.push(`${each.path}: ${code}: ${problem}`);
      }
    }
    expect(problems).toEqual([]);
  });

  test('hold JSON that parses', () => {
    for (const { code, place } of inLanguage('json')) {
      expect(() => JSON.parse(code), place).not.toThrow();
    }
  });

  test('hold settings files that the program takes', () => {
    expect(inLanguage('jsonc').length).toBeGreaterThan(0);
    for (const { code, place } of inLanguage('jsonc'))
      expect(() => checkForm(parseDocument(place, code))).not.toThrow();
  });

  test('show journal lines whose checksums hold', () => {
    for (const { code, place } of inLanguage('jsonl')) {
      let checksum = CHAIN_START;
      for (const line of code.trim().split('\n')) {
        const decoded = decodeLine(Buffer.from(line), checksum);
        expect(decoded, place).toMatchObject({ ok: true });
        if (!decoded.ok) continue;
        expect(RUN_FORMAT.parse(decoded.value), place).toMatchObject({ kind: 'record' });
        checksum = decoded.checksum;
      }
    }
  });

  test('link to files that are there', () => {
    const broken = all.flatMap((each) =>
      linksOf(each)
        .filter((target) => !existsSync(resolve(dirname(each.path), target)))
        .map((target) => `${each.path} -> ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('link to headings that are there', () => {
    const broken = all.flatMap((each) =>
      anchorsOf(each)
        .map(({ target, anchor }) => ({
          anchor,
          path: target === '' ? each.path : join(dirname(each.path), target),
        }))
        .filter(({ path, anchor }) => !headingsOf(readFileSync(path, 'utf8')).has(anchor))
        .map(({ path, anchor }) => `${each.path} -> ${path}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  test('name only files of this project that are there', () => {
    const isOurs = (code: string) =>
      /^(src|test|scripts|docs)\/[\w./-]+$/.test(code) && !code.includes('NAME');
    const named = all.flatMap((each) => inlineCodeOf(each).filter(isOurs));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('name only tests of earlier designs that are there', () => {
    const named = inlineCodeOf(page('docs/internals/earlier-designs.md')).filter((code) =>
      code.endsWith('.test.ts'),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join('test', path)))).toEqual([]);
  });

  test('hold TypeScript that compiles against the built package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tardigrade-docs-'));
    try {
      const examples = inLanguage('ts');
      expect(examples.length).toBeGreaterThan(0);
      examples.forEach(({ code }, index) => {
        writeFileSync(join(folder, `example-${index}.ts`), code);
      });
      const compilerOptions = {
        strict: true,
        noEmit: true,
        // That the package's own declarations hold is test/package.test.ts to show.
        skipLibCheck: true,
        target: 'es2023',
        lib: ['es2023'],
        module: 'nodenext',
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
        paths: {
          'tardigrade-agent': [resolve('dist/index.d.ts')],
          'tardigrade-agent/compat': [resolve('dist/compat.d.ts')],
          zod: [resolve('node_modules/zod/index.d.ts')],
        },
      };
      const project = { compilerOptions, include: ['*.ts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
      const tsc = join(dirname(typescript), 'bin/tsc');
      const { stdout } = await execa(process.execPath, [tsc, '-p', '.'], {
        cwd: folder,
        reject: false,
      });
      const named = stdout.replace(/example-(\d+)\.ts/g, (_all, n) => examples[Number(n)]!.place);
      expect(named).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the tables', () => {
  const codeIn = (cell: string | undefined) => /`([^`]+)`/.exec(cell ?? '')?.[1] ?? '';
  const sorted = (values: readonly string[]) => [...values].sort();

  test.each(['docs/internals/command-line.md', 'docs/settings.md'])(
    'of options in %s are made from the one table: node scripts/run.mjs scripts/make-option-docs.ts',
    (path) => {
      expect(page(path).text).toBe(withTables(page(path).text, OPTIONS));
    },
  );

  test('of docs/internals/command-line.md list every command', () => {
    const text = tableOf(page('docs/internals/command-line.md'), ['command', 'what it does'])
      .flat()
      .join('\n');
    for (const name of COMMAND_NAMES) expect(text).toContain(`\`agent ${name}`);
  });

  test('of docs/troubleshooting.md list every exit code', () => {
    const rows = tableOf(page('docs/troubleshooting.md'), ['code', 'name']);
    expect(Object.fromEntries(rows.map(([code, name]) => [name, Number(code)]))).toEqual(EXIT);
  });

  test('of docs/library.md list every option of runGoal that may be left out, with its default', () => {
    const all = {
      ...optionNamesFor('run'),
      ...COMMON_PORTS,
      ...RUN_PORTS,
      fallbacks: true,
      live: true,
    };
    const { goal: _goal, workspace: _workspace, ...optional } = all;
    const rows = tableOf(page('docs/library.md'), ['option', 'default', 'meaning']);
    expect(sorted(rows.map(([name]) => codeIn(name)))).toEqual(sorted(Object.keys(optional)));
    const defaults = Object.fromEntries(rows.map(([name, value]) => [codeIn(name), value]));
    expect(defaults).toMatchObject({
      toolMode: `\`'${DEFAULT_TOOL_MODE}'\``,
      temperature: String(DEFAULT_TEMPERATURE),
      maxRounds: `${DEFAULT_MAX_ROUNDS.free} where the model leads, else ${DEFAULT_MAX_ROUNDS.guided}`,
    });
  });

  test('of docs/troubleshooting.md list every error', () => {
    const rows = tableOf(page('docs/troubleshooting.md'), ['message', 'meaning']);
    expect(sorted(rows.map(([name]) => codeIn(name)))).toEqual(sorted(Object.keys(EXIT_OF_ERROR)));
  });

  test('of CONTRIBUTING.md list every room, the top one first', () => {
    const rules = readFileSync('test/support/architecture/rooms.ts', 'utf8');
    const [, list = ''] = /const ROOMS = \[([\s\S]*?)\]/.exec(rules) ?? [];
    const known = [...list.matchAll(/'([\w-]+)'/g)].map(([, room]) => room ?? '');
    const there = known.filter((room) => existsSync(`src/${room}`) || existsSync(`src/${room}.ts`));
    expect(there.length).toBeGreaterThan(20);
    const rows = tableOf(page('CONTRIBUTING.md'), ['room', 'holds']);
    expect(rows.map(([room]) => codeIn(room))).toEqual(there);
  });

  test('of docs/api.md are made from the declarations, and every name says what it is', () => {
    const read = (path: string) => readFileSync(`dist/types/${path}.d.ts`, 'utf8');
    const sources = ENTRIES.map((one) => ({ ...one, source: readFileSync(one.source, 'utf8') }));
    const made = apiPage(sources, read);
    expect(page('docs/api.md').text, 'node scripts/run.mjs scripts/make-api-docs.ts').toBe(made);
    expect(made).not.toMatch(/\| {2}\|$/m);
  });

  test('of docs/api.md call a type as a program imports it', () => {
    const source = "export { ask, type InnerAnswer as Answer } from './ask.ts';";
    const types = 'export interface InnerAnswer {}\nexport declare const ask: () => InnerAnswer;';
    const made = apiPage([{ door: 'a', source }], () => types);
    expect(made).toContain('ask: () => Answer');
    expect(made).not.toContain('InnerAnswer');
  });

  test('of docs/internals/state-format.md list every record, in the order of the schema', () => {
    const rows = tableOf(page('docs/internals/state-format.md'), ['type', 'says']);
    const types = JournalRecord.options.map((option) => option.shape.type.value);
    expect(rows.map(([type]) => codeIn(type))).toEqual(types);
  });

  /** `name`, with `?` where it may be left out. */
  const fieldsOf = (shape: object): string[] =>
    Object.entries(shape)
      .filter(([name]) => name !== 'type')
      .map(([name, schema]) => (schema.safeParse(undefined).success ? `${name}?` : name));

  const codesIn = (cell = ''): string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');

  test('of docs/internals/state-format.md list every field of every record, in the same order', () => {
    const rows = tableOf(page('docs/internals/state-format.md'), ['type', 'says', 'fields']);
    const listed = rows.map(([type, _says, fields]) => [codeIn(type), codesIn(fields)]);
    const shapes = JournalRecord.options.map(({ shape }) => [shape.type.value, fieldsOf(shape)]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(shapes));
    const code = inlineCodeOf(page('docs/internals/state-format.md'));
    for (const ending of MessageEnding.options) expect(code).toContain(ending);
  });

  test('of docs/library.md list every event with its fields, in the order of the schema', () => {
    const rows = tableOf(page('docs/library.md'), ['event', 'says', 'fields']);
    const listed = rows.map(([type, _says, fields]) => [codeIn(type), codesIn(fields)]);
    expect(listed).toEqual(
      StreamBody.unwrap().options.map(({ shape }) => [shape.type.value, fieldsOf(shape)]),
    );
  });

  test('of docs/internals/state-format.md list every part of a plan', () => {
    const rows = tableOf(page('docs/internals/state-format.md'), ['part', 'fields']);
    const parts = { plan: Plan, task: Task, subtask: Subtask, step: SubtaskStep, proof: Proof };
    expect(Object.fromEntries(rows.map(([part, fields]) => [part, codesIn(fields)]))).toEqual(
      Object.fromEntries(
        Object.entries(parts).map(([part, schema]) => [part, fieldsOf(schema.shape)]),
      ),
    );
  });

  test('of docs/internals/state-format.md are followed by all that a tool can touch and do', () => {
    const code = inlineCodeOf(page('docs/internals/state-format.md'));
    for (const word of [...Touches.options, ...Capability.options]) expect(code).toContain(word);
  });

  test('of docs/internals/state-format.md are followed by every way an action can end', () => {
    const code = inlineCodeOf(page('docs/internals/state-format.md'));
    for (const status of ActionStatus.options) expect(code).toContain(status);
  });
});

describe('the checks themselves', () => {
  test.each([
    ['agent --no-such-option "goal"', /unknown option/i],
    ['agent resum', /no command "resum"/],
    ['agent two words', /must be one argument/],
    ['agent --max-rounds many "goal"', /whole number/],
    ['npm run nothing', /not checked/],
    ['rm -rf /', /not checked/],
  ])('refuse %s', async (line, problem) => {
    expect(await problemOf(line)).toMatch(problem);
  });

  test('take a pipe apart', async () => {
    expect(await problemOf('echo "a goal" | agent -')).toBe('');
    expect(await problemOf('echo "a goal" | agent --nonsense -')).toMatch(/unknown option/i);
  });
});
