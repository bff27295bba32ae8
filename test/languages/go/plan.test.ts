import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../../src/decompose/parse-plan.ts';
import { plannableOf } from '../../../src/decompose/plan-schema.ts';
import { languageOf } from '../../../src/languages/languages.ts';
import type { PlannedWork } from '../../../src/languages/plan-rules.ts';
import { TOOLS } from '../../support/built-in-tools.ts';

const { plan } = languageOf('main.go');

const work = (written: readonly string[], more: Partial<PlannedWork> = {}): PlannedWork => ({
  goal: 'Write a stack in Go, with tests',
  wantsTests: false,
  writes: written,
  changes: written,
  proof: 'go test ./...',
  files: [],
  hasTests: true,
  ...more,
});

describe('a plan that tests Go', () => {
  it('writes the module that its tests need', () => {
    const lacking = work(['stack.go', 'stack_test.go']);
    expect(plan?.fault(lacking)).toBe(
      'No subtask writes go.mod, without which no test is run: keep stack.go, stack_test.go and add a write_file of the file go.mod with two lines: module NAME and go 1.22.',
    );
  });

  it.each([
    ['writes it', work(['go.mod', 'stack.go', 'stack_test.go'])],
    ['finds it', work(['stack.go', 'stack_test.go'], { files: ['go.mod'] })],
    ['may find it above', work(['stack_test.go'], { files: ['stack.go'] })],
    ['only runs a program', work(['main.go'], { proof: 'go run main.go' })],
    ['is about another language', work(['a.py', 'test_a.py'], { proof: 'pytest' })],
  ])('is left as it is where it %s', (_what, given) => {
    expect(plan?.fault(given)).toBeNull();
  });
});

const NO_EXAMPLES = { files: [], texts: [], stdin: '', fileName: 'name.go' };

describe('an answer that plans Go', () => {
  const parse = (files: readonly string[], isLastTry = false) =>
    parsePlan(
      JSON.stringify({
        tasks: [
          {
            description: 'work',
            subtasks: files.map((file) => ({
              action: 'write_file',
              file,
              purpose: 'adds numbers',
            })),
          },
        ],
        verify: { cmd: '', prints: '', stdin: '' },
      }),
      {
        ...{ goal: 'Write a sum in Go with tests', examples: NO_EXAMPLES },
        ...{ installed: new Set(['python3', 'pytest', 'node', 'go']), files: [] },
        ...{ exists: () => false, finishedFiles: [], commandFault: () => null },
        ...{ tools: plannableOf(TOOLS), isLastTry, firstTask: 1 },
        ...{ readText: () => null, missingProgram: () => null },
      },
    );

  it('and names no proof is asked for the one of its program, not of its module', () => {
    expect(parse(['go.mod', 'sum.go'])).toEqual({
      kind: 'fault',
      fault: 'verify.cmd is empty: name the command that runs sum.go.',
    });
  });

  it('is taken without its module at the last try', () => {
    expect(parse(['sum.go', 'sum_test.go'])).toMatchObject({ kind: 'fault' });
    expect(parse(['sum.go', 'sum_test.go'], true)).toMatchObject({ kind: 'plan' });
  });
});
