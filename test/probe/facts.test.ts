import { describe, expect, it } from 'vitest';
import { NO_COMMAND_CHANGES } from '../../src/context-manager/fold/files/command-changes.ts';
import { factsText, gatherFacts } from '../../src/probe/facts.ts';
import type { Plan, SubtaskStep } from '../../src/schema/plan.ts';
import type { KnownFile } from '../../src/schema/state-parts/run-facts.ts';
import { stepOf } from '../support/built-in-tools.ts';

const planOf = (steps: readonly SubtaskStep[], proof?: string): Plan => ({
  tasks: [
    {
      id: '1',
      description: 'all',
      subtasks: steps.map((step, index) => ({
        id: `1.${index + 1}`,
        step,
        purpose: 'x',
        checks: [],
        status: 'pending',
      })),
    },
  ],
  ...(proof ? { proof: { cmd: proof } } : {}),
  fallback: false,
});

const known = (written: boolean): KnownFile => ({
  hash: 'a',
  written,
  baseline: null,
  rejected: null,
  problems: [],
  defines: [],
  prompts: [],
});

describe('The facts', () => {
  const state = {
    commandChanges: NO_COMMAND_CHANGES,
    plan: planOf([
      stepOf('write_file', 'b.py'),
      stepOf('write_file', './a.py'),
      stepOf('run_cmd', 'python a.py'),
    ]),
    files: { 'a.py': known(true), 'gone.py': known(true), 'read.md': known(false) },
    commands: [
      {
        cmd: 'python a.py',
        stdin: null,
        subtask: '1.3',
        status: 'error' as const,
        exitCode: 1,
        head: 'Traceback',
        offset: 0,
        asksForInput: null,
      },
    ],
    recentErrors: ['one', 'two', 'three', 'four\nlines'].map((text, seq) => ({
      ...{ text, about: text, seq },
    })),
  };
  const onDiskOf = (paths: readonly string[]) => ({
    exists: (path: string) => paths.includes(path),
  });
  const onDisk = onDiskOf(['a.py', 'read.md']);

  it('say what was written, what is there, and what the plan still lacks', () => {
    const facts = gatherFacts(state, onDisk);
    expect(facts.files_written.names).toEqual(['a.py']);
    expect(facts.files_exist.names).toEqual(['a.py', 'read.md']);
    expect(facts.files_missing.names).toEqual(['b.py', 'gone.py']);
    expect(facts.recent_errors).toEqual(['two', 'three', 'four lines']);
  });

  it('name what a command wrote, and no pattern of a plan', () => {
    const change = { before: 'a', after: 'b', isUnseen: false, seq: 7 };
    const files = {
      ...{ 'made.csv': { ...change, before: null }, 'removed.py': { ...change, after: null } },
      ...{ 'unseen.md': { ...change, isUnseen: true } },
    };
    const facts = gatherFacts(
      {
        ...state,
        plan: planOf([stepOf('write_file', 'src/**')]),
        commandChanges: { ...NO_COMMAND_CHANGES, files },
      },
      onDiskOf(['a.py', 'made.csv', 'read.md', 'unseen.md']),
    );
    expect(facts.files_written.names).toEqual(['a.py', 'made.csv']);
    expect(facts.files_exist.names).toEqual(['a.py', 'made.csv', 'read.md']);
    expect(facts.files_missing.names).toEqual(['gone.py']);
  });

  it('have one text, whatever order the state was built in', () => {
    const other = { ...state, files: Object.fromEntries(Object.entries(state.files).reverse()) };
    expect(factsText(gatherFacts(other, onDisk))).toBe(factsText(gatherFacts(state, onDisk)));
    expect(factsText(gatherFacts(state, onDisk))).toBe(
      [
        'files_written: a.py',
        'files_exist: a.py, read.md',
        'files_missing: b.py, gone.py',
        'commands_run: python a.py error (exit code 1)',
        'recent_errors:',
        '- two',
        '- three',
        '- four lines',
      ].join('\n'),
    );
  });

  it('tell a command or an error that comes again at once only the first time', () => {
    const [command] = state.commands;
    const other = command && { ...command, cmd: 'ls' };
    const [error] = state.recentErrors;
    const commands = [command, command, other, command].flatMap((one) => one ?? []);
    const recentErrors = [error, error].flatMap((one) => one ?? []);
    const facts = gatherFacts({ ...state, commands, recentErrors }, onDisk);
    const line = 'python a.py error (exit code 1)';
    expect(factsText(facts)).toContain(
      `commands_run: ${line}; ls error (exit code 1); ${line}\nrecent_errors:\n- one`,
    );
    expect(factsText(facts).split('- one')).toHaveLength(2);
  });

  it('stay short however many files there are, and count them all', () => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`f${n}.py`, known(true)]),
    );
    const text = factsText(gatherFacts({ ...state, files }, { exists: () => true }));
    expect(text).toMatch(/^files_written: .* and 370 more$/m);
    expect(text.length).toBeLessThan(1200);
  });

  it('of a run without a plan are empty', () => {
    const empty = { ...state, plan: null, files: {}, commands: [], recentErrors: [] };
    expect(factsText(gatherFacts(empty, onDisk))).toBe(
      'files_written: none\nfiles_exist: none\ncommands_run: none',
    );
  });
});
