/** Models that nothing holds to the schema plan in sentences that begin with a tool's name. */
import { describe, expect, it } from 'vitest';
import { withoutPlainSteps } from '../../src/decompose/plain-plan.ts';
import { plannableOf, readProposal } from '../../src/decompose/plan-schema.ts';
import { TOOLS } from '../support/built-in-tools.ts';

const tools = plannableOf(TOOLS);

const stepsOf = (json: unknown) => {
  const read = readProposal(withoutPlainSteps(json, tools), tools);
  if (!read.ok) return read.fault;
  return read.plan.tasks.flatMap(({ subtasks }) =>
    subtasks.map(({ action, target, purpose }) => [action, target, purpose]),
  );
};

const plain = (...subtasks: readonly unknown[]) => [{ description: 'The game', subtasks }];

describe('a plan of sentences', () => {
  const steps = plain('write_file rps_game.py with game logic', 'run_cmd python rps_game.py');
  const read = [
    ['write_file', 'rps_game.py', 'game logic'],
    ['run_cmd', 'python rps_game.py', 'The game'],
  ];

  it('is read as a bare list of tasks', () => {
    expect(stepsOf(steps)).toEqual(read);
  });

  it('is read under tasks', () => {
    expect(stepsOf({ tasks: steps, verify: { cmd: 'python rps_game.py' } })).toEqual(read);
  });

  it('may be mixed with steps in full', () => {
    const full = { action: 'read_file', file: 'a.txt', purpose: 'see it' };
    expect(stepsOf(plain('write_file b.py: does it', full))).toEqual([
      ['write_file', 'b.py', 'does it'],
      ['read_file', 'a.txt', 'see it'],
    ]);
  });

  it.each([
    ['write_file: `src/my file.py` - prints it', ['write_file', 'src/my file.py', 'prints it']],
    ['Create file a.md, the report', ['write_file', 'a.md', 'the report']],
    ['Write a.md', ['write_file', 'a.md', 'The game']],
    [
      'readFile "notes.txt" to know what is in it',
      ['read_file', 'notes.txt', 'know what is in it'],
    ],
    ['bash: npm test', ['run_cmd', 'npm test', 'The game']],
    [
      'run_cmd `python a.py one two` to see it work',
      ['run_cmd', 'python a.py one two', 'see it work'],
    ],
    ['run_cmd python a.py to verify the sum', ['run_cmd', 'python a.py', 'verify the sum']],
    [
      'run_cmd python convert.py 5 km to miles',
      ['run_cmd', 'python convert.py 5 km to miles', 'The game'],
    ],
  ])('%s', (sentence, step) => {
    expect(stepsOf(plain(sentence))).toEqual([step]);
  });

  it.each([['Implement the game logic'], ['write_file'], ['']])(
    'is refused where a sentence names no tool and target: %j',
    (sentence) => {
      expect(stepsOf(plain(sentence))).toMatch(/subtasks\.0/);
    },
  );

  it.each([
    [null],
    [7],
    ['text'],
    [{ tasks: 'none' }],
    [[null, 3]],
    [{ tasks: [{ subtasks: 1 }] }],
  ])('is refused where it is none: %j', (json) => {
    expect(stepsOf(json)).toEqual(expect.any(String));
  });
});
