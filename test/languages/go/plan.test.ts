import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../../src/decompose/parse-plan.ts';
import { plannableOf } from '../../../src/decompose/plan-schema.ts';
import { TOOLS } from '../../support/built-in-tools.ts';

const NO_EXAMPLES = { files: [], texts: [], stdin: '', fileName: 'name.go' };

describe('an answer that plans Go', () => {
  const parse = (files: readonly string[]) =>
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
        ...{ tools: plannableOf(TOOLS), isLastTry: false, firstTask: 1 },
        ...{ readText: () => null, missingProgram: () => null },
      },
    );

  it('and names no proof is asked for the one of its program, not of its module', () => {
    expect(parse(['go.mod', 'sum.go'])).toEqual({
      kind: 'fault',
      fault: 'verify.cmd is empty: name the command that runs sum.go.',
    });
  });
});
