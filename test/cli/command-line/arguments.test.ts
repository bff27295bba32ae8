import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseArguments } from '../../../src/cli/command-line/arguments.ts';
import { checkInvocation, type Invocation } from '../../../src/cli/command-line/invocation.ts';
import { COMMAND_NAMES } from '../../../src/options/commands.ts';
import { OPTIONS, rowsIn } from '../../../src/options/table.ts';

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'arguments-'));
  mkdirSync(join(cwd, 'work'));
  writeFileSync(join(cwd, 'file'), '');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function read(...argv: string[]): Promise<Invocation> {
  const parsed = await parseArguments(argv);
  if (parsed.kind !== 'command') throw new Error(`not a command but ${parsed.kind}`);
  return checkInvocation(parsed, cwd);
}

test('commands and flags are these: scripts depend on them', () => {
  expect([...COMMAND_NAMES].sort()).toEqual([
    'acp',
    'adopt',
    'apply',
    'approve',
    'ask',
    'attach',
    'chat',
    'completion',
    'config',
    'demo',
    'deny',
    'diff',
    'doctor',
    'export',
    'history',
    'mcp',
    'models',
    'plan',
    'repair',
    'resume',
    'run',
    'runs',
    'serve',
    'sessions',
    'setup',
    'show',
    'stats',
    'status',
    'submit',
    'templates',
    'undo',
    'update',
    'worker',
  ]);
  expect(rowsIn(OPTIONS).flatMap(([, { flag }]) => flag ?? [])).toEqual([
    '-w, --workspace <folder>',
    '-m, --model <model>',
    '--plan-model <model>',
    '--host <address>',
    '--base-url <url>',
    '--fallback <model>',
    '--max-rounds <n>',
    '--parallel <n>',
    '--max-tokens <n>',
    '--max-cost <usd>',
    '--max-time <time>',
    '--no-instructions',
    '--config <file>',
    '--record <file>',
    '--context <tokens>',
    '--temperature <t>',
    '--effort <level>',
    '--max-tool-result-chars <n>',
    '--seed <n>',
    '--tool-mode <mode>',
    '--allow <rule>',
    '--deny <rule>',
    '--sandbox <when>',
    '--web <when>',
    '--refresh-tools',
    '--connect-timeout <time>',
    '--first-word-timeout <time>',
    '--silence-timeout <time>',
    '--turn-timeout <time>',
    '--keep',
    '--again',
    '--plan-first',
    '--plan',
    '--with-tests',
    '--proof <command>',
    '--template <name>',
    '--set <name=value>',
    '--agree',
    '--force-unlock',
    '--json',
    '--exec <text>',
    '--session <name>',
    '--resume',
    '--max-tool-calls <n>',
    '--max-turns <n>',
    '--max-retries <n>',
    '--show-thinking',
    '--system <file>',
    '--load <file>',
    '--save <file>',
    '--init',
    '--format <form>',
    '--port <n>',
    '--root <folder>',
    '--max-runs <n>',
    '--link',
    '--rights <right>',
    '--may-answer',
    '--env <name=value>',
    '--header <name:value>',
    '--project',
    '--work-file <file>',
    '--fleet <address>',
    '--tenant <name>',
    '--home <repository>',
    '--cancel',
    '--listen <address>',
    '--slices',
    '-f, --follow',
    '-y, --yes',
    '--forget <rule>',
    '--trust-programs',
    '--shell',
    '--python',
    '--clean',
    '--fleet',
    '--check',
    '--all',
    '--raw',
    '-v, --verbose',
    '--no-notify',
    '--trace-llm',
    '--trace-mcp',
    '--log <file>',
    '--accounting <file>',
    '--debug',
    '-q, --quiet',
  ]);
});

test.each([
  [['Write it'], 'run', 'Write it'],
  [['run', 'Write it'], 'run', 'Write it'],
  [['--json', 'Write it'], 'run', 'Write it'],
  [['--model', 'status', 'Write it'], 'run', 'Write it'],
  [['--', 'status'], 'run', 'status'],
  [['--json', '--', 'status'], 'run', 'status'],
  [['run', 'status'], 'run', 'status'],
  [['--', '--help me'], 'run', '--help me'],
  [['run', '--', '-x'], 'run', '-x'],
  [['-'], 'run', '-'],
  [['-', '--json'], 'run', '-'],
  [['resume'], 'resume', null],
  [['--workspace', 'work', 'status'], 'status', null],
  [['status', '--workspace', 'work'], 'status', null],
  [['setup', 'embedded'], 'setup', null],
  [['setup', 'ollama', '-m', 'x', '--host', 'h'], 'setup', null],
  [['run', 'statsu'], 'run', 'statsu'],
  [['ask', 'What?'], 'run', 'What?'],
  [['--json', 'ask', 'What?'], 'run', 'What?'],
])('agent %j is %s with the goal %j', async (argv, command, goal) => {
  const invocation = await read(...argv);
  expect(invocation.command).toBe(command);
  expect(invocation.goal).toBe(goal);
});

test('agent ask is a run that wants an answer, takes its options, and has a short help', async () => {
  const { wants, allow } = await read('ask', 'What?', '--allow', 'make');
  expect([wants, allow]).toEqual(['answer', ['make']]);
  const help = await parseArguments(['ask', '--help']);
  expect(help.kind === 'help' ? help.text.split('\n').length : 99).toBeLessThan(20);
});

test('every option of a run reaches the invocation', async () => {
  const words =
    'A goal|-w|work|-m|small:1b|--host|h:1|--base-url|http://h:2/v1|--fallback|large:20b|--max-rounds|7|--max-tokens|5k|--max-cost|0.5|--max-time|10m|--record|turns.json|--context|8192|--turn-timeout|1h|--temperature|0.5|--effort|high|--max-tool-result-chars|9000|--seed|3|--tool-mode|json|--allow|make|--allow|git commit *|--deny|rm|--sandbox|require|--refresh-tools|--again|--force-unlock|--json|--verbose|--trace-llm|--trace-mcp|--log|events.jsonl|--accounting|costs.jsonl|--debug';
  expect(await read(...words.split('|'))).toEqual({
    command: 'run',
    isBare: false,
    completes: null,
    ...{ again: true, debug: true, forceUnlock: true, json: true },
    ...{ refreshTools: true, traceLlm: true, traceMcp: true, verbose: true },
    goal: 'A goal',
    id: null,
    part: null,
    runNumber: null,
    fleetRun: null,
    recordNumber: null,
    file: null,
    workspace: join(cwd, 'work'),
    workspaceOption: 'work',
    model: 'small:1b',
    host: 'h:1',
    baseUrl: 'http://h:2/v1',
    fallbacks: ['large:20b'],
    maxRounds: 7,
    maxTokens: 5000,
    maxCost: 0.5,
    maxTimeMs: 600_000,
    deadlines: { totalMs: 3_600_000 },
    record: 'turns.json',
    log: 'events.jsonl',
    accounting: 'costs.jsonl',
    contextWindow: 8192,
    temperature: 0.5,
    seed: 3,
    servers: null,
    server: null,
    serverPlace: null,
    effort: 'high',
    maxToolResultChars: 9000,
    toolMode: 'json',
    allow: ['make', 'git commit *'],
    sandbox: 'require',
    deny: ['rm'],
  });
});

test('what was not typed is not there: what holds then is in the table', async () => {
  expect(await read('A goal')).toEqual({
    command: 'run',
    isBare: false,
    completes: null,
    ...{ goal: 'A goal', id: null, part: null, runNumber: null, recordNumber: null },
    fleetRun: null,
    ...{ file: null, servers: null, server: null, serverPlace: null },
    workspace: cwd,
    workspaceOption: null,
  });
});

test.each([
  [[''], 'E_USAGE', /No goal/, /agent "/],
  [['  \n'], 'E_USAGE', /No goal/, /agent "/],
  [['--json', '--again'], 'E_USAGE', /No goal/, /agent "/],
  [['a goal', '--modle', 'x'], 'E_USAGE', /'--modle'/, /--model/],
  [['status', '--max-rounds', '3'], 'E_USAGE', /--max-rounds/, /agent status --help/],
  [['statsu'], 'E_USAGE', /no command "statsu"/, /agent status.*agent run "statsu"/],
  [['login'], 'E_USAGE', /no command "login"/, /agent --help.*agent run "login"/],
  [['-p', 'hi'], 'E_USAGE', /'-p'/, /agent --exec/],
  [['--print', 'hi there'], 'E_USAGE', /'--print'/, /agent --exec/],
  [['-c'], 'E_USAGE', /'-c'/, /agent chat --resume/],
  [['--continue', '-m', 'x'], 'E_USAGE', /'--continue'/, /agent chat --resume/],
  [['--max-rounds', '3'], 'E_USAGE', /No goal/, /agent "/],
  [['Refactor', '--model', 'qwen3:8b'], 'E_USAGE', /no command "Refactor"/, /agent --help/],
  [['completion', 'the form'], 'E_USAGE', /does not take/, /agent run "completion the form"/],
  [['acpp'], 'E_USAGE', /no command "acpp"/, /acp/],
  [['serve', 'tea'], 'E_USAGE', /does not take "tea"/, /agent run "serve tea"/],
  [['mcp', 'the server'], 'E_USAGE', /does not take/, /agent run "mcp the server"/],
  [['deny', 'no'], 'E_USAGE', /does not take "no"/, /the id of one call: agent status shows it/],
  [['mcp', 'approve'], 'E_USAGE', /does not take/, /approve and the name of a server/],
  [['mcp', 'list', 'x', 'y'], 'E_USAGE', /does not take/, /list/],
  [['resume', 'it'], 'E_USAGE', /does not take "it"/, /number of a run/],
  [['show'], 'E_USAGE', /number of a record/, /agent show 12/],
  [['show', '1', '2', '3'], 'E_USAGE', /number of a record/, /agent show 2 12/],
  [['diff', '1', '2'], 'E_USAGE', /does not take "1 2"/, /one file/],
  [['undo', '-v'], 'E_USAGE', /'-v'/, /--debug/],
  [['resum'], 'E_USAGE', /no command "resum"/, /agent resume/],
  [['write', 'a', 'file'], 'E_USAGE', /one argument/, /agent "write a file"/],
  [["'Write", 'a', "file'"], 'E_USAGE', /one argument/, /agent "Write a file"$/],
  [
    ['undo', 'the', 'change'],
    'E_USAGE',
    /does not take "the change"/,
    /agent run "undo the change"/,
  ],
  [['setup'], 'E_USAGE', /ollama, embedded/, /setup embedded/],
  [['setup', 'cuda'], 'E_USAGE', /ollama, embedded/, /setup embedded/],
  [['setup', 'embedded', 'x'], 'E_USAGE', /ollama, embedded/, /setup embedded/],
  [['setup', 'ollama'], 'E_USAGE', /name of a model/, /setup ollama --model/],
  [['a goal', '--model'], 'E_USAGE', /argument missing/, /--help/],
  [
    ['a goal', '--max-rounds', 'many'],
    'E_USAGE',
    /whole number from 1 to 10,000, not "many"/,
    /in that range/,
  ],
  [['a goal', '--max-rounds', '0'], 'E_USAGE', /from 1 to/, /in that range/],
  [['a goal', '--max-rounds', '2.5'], 'E_USAGE', /from 1 to/, /in that range/],
  [['a goal', '--temperature', 'hot'], 'E_USAGE', /must be 0 to 2, not "hot"/, /in that range/],
  [['a goal', '--temperature', '-1'], 'E_USAGE', /must be 0 to 2, not "-1"/, /in that range/],
  [['a goal', '--temperature', '3'], 'E_USAGE', /must be 0 to 2, not "3"/, /in that range/],
  [['a goal', '--max-tool-result-chars', '9'], 'E_USAGE', /from 500 to/, /in that range/],
  [['a goal', '--effort', 'much'], 'E_USAGE', /no effort/, /low, medium, high/],
  [['a goal', '--seed', '-5'], 'E_USAGE', /whole number from 0 to/, /in that range/],
  [['a goal', '--tool-mode', 'xml'], 'E_USAGE', /tool mode "xml"/, /auto, native or json/],
  [['a goal', '--workspace', 'gone'], 'E_WORKSPACE', /does not exist/, /Create it/],
  [['a goal', '--workspace', 'file'], 'E_WORKSPACE', /is a file/, /--workspace/],
  [['status', '--workspace', 'file/x'], 'E_WORKSPACE', /does not exist/, /Create it/],
])('agent %j is refused with %s, saying what and what next', async (argv, code, message, hint) => {
  await expect(read(...argv)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test.each([
  [['resume', '2'], { runNumber: 2 }],
  [['attach', '0123456789abcdef'], { runNumber: null, fleetRun: '0123456789abcdef' }],
  [['attach', 'r3', '--fleet', 'http://f:8080'], { fleetRun: 'r3' }],
  [['approve', '0123456789abcdef', '12ab'], { fleetRun: '0123456789abcdef', id: '12ab' }],
  [['deny', 'r3', '--fleet', 'http://f:8080'], { fleetRun: 'r3', id: null }],
  [['approve', '12ab'], { fleetRun: null, id: '12ab' }],
  [['show', '12'], { runNumber: null, recordNumber: 12 }],
  [['show', '2', '12'], { runNumber: 2, recordNumber: 12 }],
  [['undo', '2'], { runNumber: 2, file: null }],
  [['undo', './2'], { runNumber: null, file: '2' }],
  [['diff', 'src//a.py', '3'], { runNumber: 3, file: 'src/a.py' }],
])('agent %j means %j', async (argv, meant) => {
  expect(await read(...argv)).toMatchObject(meant);
});

test('agent version is the version, and not a word is neither', async () => {
  expect(await parseArguments(['version'])).toEqual({ kind: 'version' });
  expect(await parseArguments(['version', '--help'])).toEqual({ kind: 'version' });
  expect(await parseArguments([])).toEqual({ kind: 'alone', options: {}, argv: [] });
  const argv = ['-m', 'openai/gpt-5-mini', '--temp', '0.5'];
  const options = { model: ['openai/gpt-5-mini'], temperature: ['0.5'] };
  expect(await parseArguments(argv)).toEqual({ kind: 'alone', options, argv });
});

test('at 40 columns no line of help is longer but for a command, and names stand above their words', async () => {
  for (const name of [...COMMAND_NAMES, '']) {
    const parsed = await parseArguments([name, '--help'].filter(Boolean), 39);
    const lines = parsed.kind === 'help' ? parsed.text.split('\n') : [];
    expect(lines.filter((line) => line.length > 39 && !/^ *agent \S/.test(line))).toEqual([]);
  }
  const parsed = await parseArguments(['run', '--help'], 39);
  expect(parsed).toMatchObject({
    text: expect.stringContaining(
      "\n  --keep\n      keep a small model's changes,\n      proved or not\n",
    ),
  });
});

test.each([[['--help']], [['-h']], [['help']], [['--json', '--help']]])(
  'agent %j shows all commands',
  async (argv) => {
    const parsed = await parseArguments(argv);
    expect(parsed.kind).toBe('help');
    const text = parsed.kind === 'help' ? parsed.text : '';
    for (const name of COMMAND_NAMES) expect(text).toContain(`  ${name}`);
    expect(text).toContain('Exit codes:');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  },
);

test('the help has the eight commands of every day first, and a run has few options before the rest', async () => {
  const help = await parseArguments(['--help']);
  const [, first = '', ...rest] =
    help.kind === 'help'
      ? help.text.split(/^(?:Commands|[A-Z][a-z ]+ (?:decide|serve|needed)):$/m)
      : [];
  expect(first.match(/^ {2}\w+/gm)?.map((name) => name.trim())).toEqual(
    'run ask chat resume status diff undo doctor'.split(' '),
  );
  expect(rest).toHaveLength(3);
  const run = await parseArguments(['run', '--help']);
  const [options = '', more = ''] = run.kind === 'help' ? run.text.split('More options:') : [];
  expect(options.match(/^ {2}-/gm)?.length).toBeLessThan(16);
  expect([options, more].map((text) => text.includes('--seed'))).toEqual([false, true]);
  expect(options).toContain('--model <model>');
});

test.each([[['history', '--help']], [['help', 'history']]])(
  'agent %j shows the options of that command',
  async (argv) => {
    const parsed = await parseArguments(argv);
    expect(parsed).toMatchObject({ kind: 'help', text: expect.stringContaining('--follow') });
  },
);

test('--version is answered wherever it stands before a goal', async () => {
  expect(await parseArguments(['--json', '--version'])).toEqual({ kind: 'version' });
});

test('what stands behind plan is a run by its number, or a goal whose plan is shown first', async () => {
  expect(await read('plan')).toMatchObject({ command: 'plan', runNumber: null });
  expect(await read('plan', '2')).toMatchObject({ command: 'plan', runNumber: 2 });
  expect(await read('plan', 'Write it', '-m', 'openai')).toMatchObject({
    ...{ command: 'run', goal: 'Write it', agreePlan: true, model: 'openai' },
  });
  expect(await read('-m', 'openai', 'plan', 'Write it')).toMatchObject({ agreePlan: true });
});
