import { describe, expect, it } from 'vitest';
import type { CommandSeen } from '../../../src/languages/commands/command-seen.ts';
import { asksForInput, commandHint } from '../../../src/languages/commands/hints.ts';

/** The outputs below were printed by Python 3.11 and Node 20. */

const seen = (program: string, output: string, more: Partial<CommandSeen> = {}): CommandSeen => ({
  program,
  args: [],
  kind: 'exited',
  exitCode: 1,
  timeoutSec: 120,
  output,
  hasStdin: false,
  unexpanded: [],
  ...more,
});

const TRACE =
  'Traceback (most recent call last):\n  File "/home/me/ws/ask.py", line 5, in <module>\n    main()\n';

const EOF_ERROR = `Welcome
Your choice: ${TRACE}  File "/home/me/ws/ask.py", line 3, in main
    x = input("Your choice: ")
        ^^^^^^^^^^^^^^^^^^^^^^
EOFError: EOF when reading a line
`;

const hintOf = (one: CommandSeen): string => commandHint(one, asksForInput(one)) ?? '';

describe('what the way a command ended asks for next', () => {
  it('a program that asks for input: give stdin', () => {
    expect(hintOf(seen('python', EOF_ERROR))).toContain('Run it again with stdin');
    expect(hintOf(seen('python', EOF_ERROR, { hasStdin: true }))).toContain(
      'more input than stdin gave',
    );
  });

  it('shows the prompts of the program itself, on whichever side of the traceback they came', () => {
    expect(asksForInput(seen('python', EOF_ERROR))).toBe('Welcome\nYour choice:');
    const late = `${EOF_ERROR.replace('Welcome\nYour choice: ', '')}Welcome\nYour choice: `;
    expect(asksForInput(seen('python', late))).toBe('Welcome\nYour choice:');
    expect(asksForInput(seen('python', 'Choice: Error: EOF when reading a line\n'))).toContain(
      'Choice:',
    );
    expect(asksForInput(seen('python', 'Choice: 3\n', { exitCode: 0 }))).toBeNull();
    expect(
      asksForInput(seen('python', `Too low!\n${EOF_ERROR.slice(EOF_ERROR.indexOf('Traceback'))}`)),
    ).toBe('Too low!\n');
    expect(asksForInput(seen('python', EOF_ERROR.slice(EOF_ERROR.indexOf('Traceback'))))).toBe('');
  });

  it('node that ends behind its question asked for input', () => {
    expect(asksForInput(seen('node', 'Name? ', { exitCode: 0 }))).toBe('Name?');
    expect(asksForInput(seen('node', 'Name? ', { exitCode: 13 }))).toBe('Name?');
    expect(hintOf(seen('node', 'Name? ', { exitCode: 13 }))).toContain('stdin');
    expect(asksForInput(seen('node', 'Total: 7', { exitCode: 0 }))).toBeNull();
    expect(asksForInput(seen('node', 'Done:\n', { exitCode: 0 }))).toBeNull();
  });

  it('a time-out', () => {
    const late = seen('python', 'working\n', { kind: 'timeout', exitCode: null, timeoutSec: 5 });
    expect(hintOf(late)).toContain('within 5 s');
    expect(hintOf({ ...late, hasStdin: true })).toContain('more lines in stdin');
  });

  it('mentions words that no shell expanded, only when the command failed', () => {
    const words = { unexpanded: ['*.py'] };
    expect(hintOf(seen('ruff', 'error', words))).toContain('*.py was passed as it stands');
    expect(hintOf(seen('ruff', 'fine', { ...words, exitCode: 0 }))).toBe('');
    // What is wrong says the program itself.
    expect(hintOf(seen('python', "NameError: name 'add' is not defined\n"))).toBe('');
  });
});
