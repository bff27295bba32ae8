import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../src/languages/languages.ts';
import type { PlannedWork } from '../../../src/languages/plan-rules.ts';

const { plan } = languageOf('main.go');

const work = (written: readonly string[], more: Partial<PlannedWork> = {}): PlannedWork => ({
  goal: 'Write a stack in Go, with tests',
  writes: written.map((file) => ({ file, purpose: file })),
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
    expect(plan?.complete(lacking)).toEqual({
      renamed: null,
      added: {
        description: 'Module',
        file: 'go.mod',
        purpose: 'two lines: module NAME and go 1.22',
      },
    });
  });

  it.each([
    ['writes it', work(['go.mod', 'stack.go', 'stack_test.go'])],
    ['finds it', work(['stack.go', 'stack_test.go'], { files: ['go.mod'] })],
    ['may find it above', work(['stack_test.go'], { files: ['stack.go'] })],
    ['only runs a program', work(['main.go'], { proof: 'go run main.go' })],
    ['is about another language', work(['a.py', 'test_a.py'], { proof: 'pytest' })],
  ])('is left as it is where it %s', (_what, given) => {
    expect(plan?.fault(given)).toBeNull();
    expect(plan?.complete(given)).toEqual({ renamed: null, added: null });
  });
});
