/** Ends that were false, and files that were harmed, on goals that nobody had tuned on: never again. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { openIn, type PlannedWork, planJson, wantedBy } from '../support/models.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import {
  type Script,
  type ScriptedCall,
  type ScriptedReply,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const MODES = ['native', 'json'] as const;

async function play(script: Script, given: { readonly [path: string]: string }, options: RunIn) {
  const world = testWorld();
  for (const [path, text] of Object.entries(given)) world.write(path, text);
  const provider = scriptedProvider(script);
  const { result } = await runIn(world, provider, options);
  return { world, provider, result };
}

const call = (name: string, args: Record<string, unknown>): ScriptedReply => ({
  calls: [{ name, args }] satisfies ScriptedCall[],
});
const DONE = { success: true, reason: 'it is done' };

/** How often it has answered with calls since its subtask began. */
const turnsSince = ({ messages }: ModelRequest): number => {
  const start = messages.findLastIndex(({ content }) => content.includes('ACTIVE SUBTASK'));
  return messages.slice(start).filter(({ role }) => role === 'assistant').length;
};

/** Calls one after the other in each subtask; by schema it looks around and then says it is done. */
function doing(
  plan: PlannedWork,
  calls: readonly ScriptedReply[],
  content: (request: ModelRequest) => string = () => '',
): Script {
  const done = { ...DONE, ...(plan.answer ? { answer: plan.answer } : {}) };
  return (request) => {
    switch (wantedBy(request)) {
      case 'plan':
        return planJson(plan);
      case 'tools':
        return calls[turnsSince(request)] ?? call('mark_subtask_complete', done);
      case 'content':
        return `\`\`\`\n${content(request)}\`\`\``;
      case 'action': {
        const open = openIn(request);
        const isOpen = open.some((one) => one.success && one.success.const !== false);
        if (isOpen) return JSON.stringify({ action: 'mark_subtask_complete', ...done });
        const files = open.find((one) => one.file?.enum)?.file?.enum as string[] | undefined;
        // Where it may choose what to mend it takes the tests.
        const file = files?.find((one) => one.includes('test')) ?? files?.[0];
        const action = file === undefined ? 'list_dir' : 'write_file';
        return JSON.stringify({ action, because: 'it is next', file: file ?? '.' });
      }
    }
  };
}

describe.each(MODES)('in %s mode', (toolMode) => {
  it('a goal that asks for a file is not reached by looks and an answer that was made up', async () => {
    const plan = {
      subtasks: [{ action: 'read_file', file: 'summary.txt', purpose: 'tell what it says' }],
      answer: 'The sum of all costs is 1000.',
    };
    const looks = [call('read_file', { path: 'summary.txt' }), call('list_dir', { path: '.' })];
    const goal = 'Write REPORT.md with the sum of costs.csv';
    const given = { 'costs.csv': 'day,cost\nmon,20\ntue,40\n' };
    const { world, result } = await play(doing(plan, looks), given, { goal, toolMode });
    expect(result.ending).not.toBe('achieved');
    expect(world.read('REPORT.md')).toBeNull();
    expect(world.read('costs.csv')).toBe(given['costs.csv']);
  });

  it('a goal that asks for a change is not reached by reading, though its proof was green before', async () => {
    const plan = {
      subtasks: [{ action: 'edit_file', file: 'README.md', purpose: 'explain the settings' }],
      verify: { cmd: 'node settings.test.mjs', prints: 'ok' },
    };
    const given = { 'README.md': '# Tool\n', 'settings.test.mjs': 'console.log("ok");\n' };
    const reads = [call('read_file', { path: 'README.md' })];
    const goal = 'Explain the settings in the README';
    const script = doing(plan, reads, () => given['README.md']);
    const { world, result } = await play(script, given, { goal, toolMode });
    expect(result.ending).not.toBe('achieved');
    expect(world.read('README.md')).toBe(given['README.md']);
  });

  it('a given test is not what a failure is mended in, and a changed one proves nothing', async () => {
    const plan = {
      subtasks: [{ action: 'run_cmd', cmd: 'node sum.test.mjs', purpose: 'see what fails' }],
      verify: { cmd: 'node sum.test.mjs', prints: 'ok' },
    };
    const given = {
      'sum.mjs': 'export const sum = (a, b) => a - b;\n',
      'sum.test.mjs': 'throw new Error("2 + 2 is not 0");\n',
    };
    const rewritten = 'console.log("ok");\n';
    const calls = [
      call('run_cmd', { cmd: 'node sum.test.mjs' }),
      call('read_file', { path: 'sum.test.mjs' }),
      call('write_file', { path: 'sum.test.mjs', content: rewritten }),
      call('run_cmd', { cmd: 'node sum.test.mjs' }),
    ];
    const script = doing(plan, calls, () => rewritten);
    const options = { goal: 'Fix the failing test', toolMode };
    const { world, result } = await play(script, given, options);
    expect(result.ending).not.toBe('achieved');
    if (toolMode === 'json') expect(world.read('sum.test.mjs')).toBe(given['sum.test.mjs']);
  });

  it('a given text is not overwritten with a program, however short it is', async () => {
    const plan = {
      subtasks: [{ action: 'write_file', file: 'words.txt', purpose: 'counts the words' }],
    };
    const given = { 'words.txt': 'one two three\nfour\n' };
    const program = 'const text = "one";\nconsole.log("1");\n';
    const calls = [
      call('read_file', { path: 'words.txt' }),
      call('write_file', { path: 'words.txt', content: program }),
    ];
    const options = { goal: 'Count the words in words.txt with a script', toolMode };
    const script = doing(plan, calls, () => program);
    const { world, result } = await play(script, given, options);
    expect(world.read('words.txt')).toBe(given['words.txt']);
    expect(result.ending).not.toBe('achieved');
  });
});

describe('a file that is longer than what a question shows', () => {
  const FUNCTIONS = 120;
  const GIVEN = Array.from(
    { length: FUNCTIONS },
    (_, n) => `export function convert${n}(value) {\n  return value * ${n} + 0.5;\n}\n`,
  ).join('');

  it('keeps every function when the model gives back faithfully what it was shown', async () => {
    const plan = {
      subtasks: [{ action: 'edit_file', file: 'conv.mjs', purpose: 'convert3 rounds' }],
      verify: { cmd: 'node check.mjs', prints: 'ok' },
    };
    const shown = ({ messages }: ModelRequest): string =>
      (messages.findLast(({ content }) => content.includes('```'))?.content ?? '')
        .split('```')
        .findLast((part) => part.includes('export function'))
        ?.replace('value * 3 + 0.5', 'Math.round(value * 3)') ?? '';
    const given = { 'conv.mjs': GIVEN, 'check.mjs': 'console.log("ok");\n' };
    const options = { goal: 'Make convert3 in conv.mjs round', toolMode: 'json' } as const;
    const { world } = await play(doing(plan, [], shown), given, options);
    const names = (world.read('conv.mjs') ?? '').match(/export function convert\d+/g) ?? [];
    expect(new Set(names).size).toBe(FUNCTIONS);
  });
});
