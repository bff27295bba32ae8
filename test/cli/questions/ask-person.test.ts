import { describe, expect, it } from 'vitest';
import { approveCallCommand, resumeCommand } from '../../../src/cli/command-line/resume-command.ts';
import { askAtTerminal, questionText } from '../../../src/cli/questions/ask-person.ts';
import { QUIET_MS } from '../../../src/cli/questions/quiet-keys.ts';
import {
  missingRules,
  permissionLine,
  permissionLines,
} from '../../../src/cli/render/records/permissions.ts';
import type { Style } from '../../../src/cli/render/text/style.ts';
import type { PermissionQuestion, PersonsAnswer } from '../../../src/round/permission/person.ts';
import { AT_TERMINAL } from '../../../src/schema/journal/permissions.ts';
import { fakeTerminal, runState } from '../support.ts';

const QUESTION: PermissionQuestion = {
  id: 'a'.repeat(32),
  tool: 'run_cmd',
  target: 'git commit -m "\u001b[2Jx" # as you said',
  argv: ['git', 'commit', '-m', '\u001b[2Jx'],
  reason: 'git commit is not allowed, only git that reads.',
  rules: ['run_cmd(git commit *)'],
  folder: '/ws',
  program: '/usr/bin/git',
  offered: ['run_cmd(git commit *)'],
  input: { cmd: 'git commit -m x' },
  callId: 'c1',
};

/** Keys at their times since the question was drawn, in milliseconds. */
async function answerTo(
  keys: readonly (readonly [at: number, key: string])[],
  question: PermissionQuestion = QUESTION,
) {
  const terminal = fakeTerminal({ isTerminal: true });
  let press: (key: string) => void = () => {};
  let isReading = false;
  let held = 0;
  const stop = new AbortController();
  const reading = {
    ...terminal,
    keys: (listener: (key: string) => void) => {
      isReading = true;
      press = listener;
      return () => {
        isReading = false;
      };
    },
  };
  const asking = askAtTerminal(reading, () => {
    held += 1;
    return () => {
      held -= 1;
    };
  })(question, stop.signal);
  let now = 0;
  for (const [at, key] of keys) {
    terminal.advance(at - now);
    now = at;
    if (isReading) press(key);
  }
  if (isReading) stop.abort();
  const answer: PersonsAnswer = await asking;
  return { answer, text: terminal.stderr.text(), isReading, held };
}

describe('what a question shows', () => {
  const asked = (argv: readonly string[], more: Partial<PermissionQuestion> = {}) =>
    answerTo([], { ...QUESTION, argv, target: argv.join(' '), offered: [], ...more });

  it('is every line of a program that is given on the command line', async () => {
    const { text } = await asked(['perl', '-e', "print 1; # tidy\nopen(F,'>PWNED')"]);
    expect(text).toContain("run perl -e $'print 1; # tidy\\nopen(F,\\'>PWNED\\')'");
    expect(text).toContain('cannot be seen');
  });

  it('is every character that is not to be seen, of names and folders, too', async () => {
    const hidden = await asked(['tar', '-xf', 'a\u200b.tar'], { folder: '/w\u202es' });
    expect(hidden.text).toContain("$'a\\xe2\\x80\\x8b.tar'");
    expect(hidden.text).toContain('/w\\u{202e}s');
    const file = { argv: null, tool: 'write_file', target: '.github/a\nb.yml' };
    expect((await asked([], file)).text).toContain('write .github/a\\nb.yml');
    expect((await asked(['git', 'commit'])).text).not.toContain('cannot be seen');
  });
});

describe('a question at the terminal', () => {
  it.each([
    ['y', { kind: 'once', ...AT_TERMINAL }],
    ['Y', { kind: 'once', ...AT_TERMINAL }],
    ['y\r', { kind: 'once', ...AT_TERMINAL }],
    ['r', { kind: 'run', ...AT_TERMINAL }],
    ['a', { kind: 'always', ...AT_TERMINAL }],
    ['n', { kind: 'no', why: '', ...AT_TERMINAL }],
    ['\r', { kind: 'no', why: '', ...AT_TERMINAL }],
    ['\u001b', { kind: 'no', why: '', ...AT_TERMINAL }],
    ['x', { kind: 'none' }],
    ['yes', { kind: 'none' }],
    ['yes\r', { kind: 'none' }],
    ['\u001b[A', { kind: 'none' }],
  ])('after a quiet while %j means %j', async (key, expected) => {
    const { answer, isReading, held } = await answerTo([[QUIET_MS, key]]);
    expect(answer).toEqual(expected);
    expect([isReading, held]).toEqual([false, 0]);
  });

  it('is not answered by what was typed before it, however long that goes on', async () => {
    expect((await answerTo([[0, 'y']])).answer.kind).toBe('none');
    expect((await answerTo([[QUIET_MS - 1, 'y']])).answer.kind).toBe('none');
    const held: [number, string][] = Array.from({ length: 20 }, (_, at) => [at * 100, 'y']);
    expect((await answerTo(held)).answer.kind).toBe('none');
    const then: [number, string][] = [...held, [1900 + QUIET_MS, 'n']];
    expect((await answerTo(then)).answer).toEqual({ kind: 'no', why: '', ...AT_TERMINAL });
  });

  it('takes a reason for a no, as it is typed', async () => {
    const keys: [number, string][] = [
      [400, 'w'],
      [410, 'use j'],
      [420, 'x\u007fj'],
      [430, ' please\r'],
    ];
    const { answer, text } = await answerTo(keys);
    expect(answer).toEqual({ kind: 'no', why: 'use jj please', ...AT_TERMINAL });
    expect(text).toContain('no, why? use jj');
    // It stays on the screen, also where it came in one piece with its Enter.
    expect(text).toMatch(/no, why\? use jj please\n$/);
    expect(
      (
        await answerTo([
          [400, 'w'],
          [410, '\r'],
        ])
      ).text,
    ).toMatch(/no, why\? no\n$/);
  });

  it('says how long a rule lasts: as long as the run, or the conversation', async () => {
    expect(questionText(QUESTION)).toContain(
      'r  yes, for this run: every command that begins with git commit',
    );
    expect(questionText(QUESTION, 'this conversation')).toContain('r  yes, for this conversation:');
  });

  it('shows call, folder, program and rule, and nothing that steers a terminal', async () => {
    const { text } = await answerTo([[400, 'n']]);
    expect(text).toContain('in /ws, by /usr/bin/git');
    expect(text).toContain('a  yes, always here: every command that begins with git commit');
    expect(text).toContain("  run git commit -m $'\\x1b[2Jx'\n");
    expect(text).not.toContain('\u001b[2J');
  });

  it('shows what a tool of a server would be given, and how much of it is not shown', async () => {
    const call = { ...QUESTION, tool: 'mcp__web__post', target: 'web.post', argv: null };
    const short = await answerTo([[400, 'n']], { ...call, inputText: '{"to":"\u001b[2Jyou"}' });
    expect(short.text).toContain('\n  web.post\n  with {"to":"\\u{1b}[2Jyou"}\n');
    const long = await answerTo([[400, 'n']], { ...call, inputText: 'x'.repeat(2100) });
    expect(long.text).toMatch(/x\s+… and 100 characters more\n/);
  });

  it('shows the change of a file line by line', async () => {
    const inputText = '--- a.js\n+++ a.js\n@@ -1,1 +1,1 @@\n-one\n+\ttwo\\u{202e}';
    const call = { ...QUESTION, tool: 'edit_file', target: 'a.js', argv: null };
    const { text } = await answerTo([[400, 'n']], { ...call, inputText });
    expect(text).toContain('\n  @@ -1,1 +1,1 @@\n  -one\n  +    two\\u{202e}\n');
    expect(text).not.toContain('cannot be seen');
  });

  it('offers no rule where there is none to make', async () => {
    const question = { ...QUESTION, offered: [] };
    const { answer, text } = await answerTo([[400, 'a']], question);
    expect(answer.kind).toBe('none');
    expect(text).not.toContain('always');
  });
});

describe('what is said of permissions', () => {
  it('at the start: what is allowed, and that nothing confines', () => {
    const said = { builds: ['npm run test'], allow: ['run_cmd(make *)'], deny: ['run_cmd(rm *)'] };
    const all = { ...said, asks: 'nobody', isConfined: false } as const;
    const [allowed, confined] = permissionLines(all);
    expect(permissionLine(all)).toBe(
      'Allowed: edits, looks, tests, scripts, 2 rules; else refused; no sandbox.',
    );
    expect(permissionLine(all).length).toBeLessThan(80);
    expect(allowed).toMatch(/npm run test, make; never: rm; everything else is refused and named/);
    expect(confined).toContain('not confined');
  });

  it('at the end: all that is missing, in one command that can be typed', () => {
    const request = { tool: 'run_cmd', target: '', reason: '', isNoted: true };
    const open = [
      { ...request, id: '1'.repeat(32), rules: ['run_cmd(git commit *)'] },
      { ...request, id: '2'.repeat(32), rules: ['edit(/.env)', 'run_cmd(make *)'] },
    ];
    const noted = { open, answers: [], rules: [], isRegained: false, taken: null };
    const missing = missingRules(runState({ permissions: noted }));
    expect(missing).toEqual(['git commit *', 'edit(/.env)', 'make']);
    expect(resumeCommand({ allow: missing ?? [] }, { program: 'agent', platform: 'linux' })).toBe(
      "agent resume --allow 'git commit *' --allow 'edit(/.env)' --allow make",
    );
    expect(resumeCommand({ yes: true }, { program: 'agent', platform: 'linux' })).toBe(
      'agent resume --yes',
    );
    const alone = { ...noted, open: [{ ...request, id: 'ab12'.repeat(8), rules: [] }] };
    expect(missingRules(runState({ permissions: alone }))).toBeNull();
    expect(
      approveCallCommand({ workspaceOption: 'w' }, ['ab12'.repeat(8)], {
        program: 'agent',
        platform: 'linux',
      }),
    ).toBe('agent approve ab12ab12 --workspace w');
  });
});

it('the question comes first, what is asked about next, and why it is asked behind it', () => {
  const lines = questionText(QUESTION).split('\n');
  expect(lines[0]).toBe('Allow this?');
  const [call, reason] = ['run git commit', 'reason: git commit is not allowed'].map((text) =>
    lines.findIndex((line) => line.startsWith(`  ${text}`)),
  );
  expect([call, (reason ?? 0) > (call ?? 0)]).toEqual([1, true]);
});

it('a change has the colours of a change, and its file and place stand back', () => {
  const inputText = '--- a.js\n+++ a.js\n@@ -1,1 +1,1 @@\n--- old\n+new';
  const paint: Style['paint'] = (tone, text) => `${tone}:${text}`;
  const tones = questionText({ ...QUESTION, inputText }, 'this run', { paint })
    .split('\n')
    .map((line) => line.split(':  ')[0]);
  expect(tones.slice(2, 7)).toEqual(['dim', 'dim', 'dim', 'bad', 'good']);
});
