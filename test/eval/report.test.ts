import { expect, test } from 'vitest';
import { note } from '../../eval/agent-run.ts';
import { type Outcome, readTalk } from '../../eval/goals/game-talk.ts';
import { parseOptions, UsageError } from '../../eval/options.ts';
import { promptCounter } from '../../eval/prompt-bytes.ts';
import { reportText, resultLine, summarise } from '../../eval/report.ts';
import type { EvalResult } from '../../eval/result.ts';

const result = (more: Partial<EvalResult>): EvalResult => ({
  goal: 'hello',
  kind: null,
  statesWhatIsRight: false,
  runner: 'agent',
  passedOn: [],
  harm: [],
  run: 1,
  seed: 1,
  model: 'm',
  reached: true,
  claimed: true,
  why: 'seen',
  exitCode: 0,
  timedOut: false,
  seconds: 10,
  rounds: 2,
  turns: 3,
  tokensIn: 100,
  tokensCached: 50,
  tokensOut: 20,
  promptBytes: 900,
  isWithheld: false,
  said: '',
  ...more,
});

test('a false claim stands above everything else', () => {
  const text = reportText([
    result({}),
    result({ run: 2, seed: 2, reached: false, why: 'it prints nothing' }),
    result({ run: 3, reached: false, claimed: false }),
  ]);
  expect(text.split('\n').slice(0, 2)).toEqual([
    'False claims of success: 1 in 3 runs',
    '- hello 2 (seed 2): it prints nothing',
  ]);
  expect(text).toContain('| hello | 1 of 3 | 2 | 1 |');
});

test('the plain prompt has a report of its own, and is compared on the goals that both ran', () => {
  const plain = (more: Partial<EvalResult>) =>
    result({ runner: 'plain', claimed: false, exitCode: 9, ...more });
  const text = reportText([
    result({}),
    result({ seed: 2, reached: false, claimed: false }),
    result({ seed: 3 }),
    plain({}),
    plain({ seed: 2 }),
    plain({ seed: 9 }),
  ]);
  expect(text).toMatch(/Runner: agent\n\nFalse claims of success: 0 in 3 runs/);
  expect(text).toMatch(/Runner: plain\n\nFalse claims of success: 0 in 3 runs/);
  expect(text).toContain(
    'Of 2 goals that both ran: reached by both 1, only by the agent 0, only by the plain prompt 1, by either 2.',
  );
});

test('only two runners are known, and the plain one needs a model', () => {
  expect(parseOptions(['--runner', 'plain', '--model', 'm'])?.runner).toBe('plain');
  expect(() => parseOptions(['--runner', 'plain'])).toThrow('needs --model');
  expect(() => parseOptions(['--runner', 'other'])).toThrow(UsageError);
});

test.each([
  [{}, 'reached ·'],
  [{ claimed: false }, 'reached, not claimed ·'],
  [{ reached: false }, 'FALSE CLAIM ·'],
  [{ reached: false, claimed: false }, 'missed ·'],
])('a run with %j is called %s', (more, word) => {
  expect(resultLine(result(more))).toContain(word);
});

test('numbers of a goal are medians, and cached tokens count as read', () => {
  const [summary] = summarise([10, 30, 20, 90].map((seconds) => result({ seconds })));
  expect(summary).toMatchObject({ secondsMedian: 25, tokensIn: 150, roundsMost: 2 });
});

test('what is counted comes from the lines of --json, whatever else is printed', () => {
  const seen = {
    rounds: 0,
    turns: 0,
    input: 0,
    cached: 0,
    output: 0,
    answer: null,
    isWithheld: false,
    said: '',
  };
  const usage = { input: 5, output: 7, thinking: 1, cacheRead: 3, cacheWrite: 0, modelMs: 1 };
  for (const line of [
    'not json',
    '{"torn',
    JSON.stringify({ type: 'record', record: { type: 'round_started', seq: 3, n: 2 } }),
    JSON.stringify({ type: 'record', record: { type: 'turn_finished', seq: 4, usage } }),
    JSON.stringify({
      type: 'result',
      ending: 'failed',
      detail: 'gave up',
      answer: 'text',
      withheld: { files: [] },
    }),
  ]) {
    note(line, seen, () => {});
  }
  expect(seen).toEqual({
    rounds: 2,
    turns: 1,
    input: 5,
    cached: 3,
    output: 8,
    answer: 'text',
    isWithheld: true,
    said: 'failed: gave up',
  });
});

test('prompt bytes follow the conversation through rewinds and branches', () => {
  const counter = promptCounter();
  let seq = 0;
  const add = (record: object): void => {
    seq += 1;
    counter.add({ seq, ...record } as Parameters<typeof counter.add>[0]);
  };
  const turn = { type: 'turn_finished', status: { kind: 'success' }, response: { content: '12' } };
  add({ type: 'settings_changed', systemPrompt: '1234567890' });
  add({ type: 'message_added', text: 'ü' });
  add(turn);
  expect(counter.total()).toBe(12);
  add(turn);
  expect(counter.total()).toBe(12 + 14);
  add({ type: 'rewound', fromSeq: 3 });
  add({ type: 'branched', at: 'open' });
  add({ type: 'message_added', text: { blob: 'x', length: 100, head: '' } });
  add(turn);
  expect(counter.total()).toBe(26 + 110);
  add({ type: 'branched', at: 'close' });
  add(turn);
  expect(counter.total()).toBe(136 + 12);
});

test('prompt bytes count a result where the message only names its outcome', () => {
  const counter = promptCounter();
  const add = (record: object): void => counter.add(record as Parameters<typeof counter.add>[0]);
  add({ type: 'action_finished', seq: 1, result: 'ünd' });
  add({ type: 'message_added', seq: 2, resultOf: 1 });
  add({ type: 'turn_finished', seq: 3, status: { kind: 'aborted' }, response: { content: '' } });
  expect(counter.total()).toBe(4);
});

test.each<[string, boolean, string | null, Outcome | null]>([
  ['Computer chose rock.\nYou win!', false, 'rock', 'win'],
  ['You chose paper, computer chose: Scissors\nComputer wins!', false, 'scissors', 'lose'],
  ["Computer's choice: paper\nIt's a draw.", false, 'paper', 'tie'],
  ['I chose rock. You lost', false, 'rock', 'lose'],
  ['First to win 3 games. Opponent played scissors\nPlayer wins', false, 'scissors', 'win'],
  ['Player 1 beats Player 2', true, null, 'win'],
  ['Player 2 wins', true, null, 'lose'],
  ['The winner is: Computer', false, null, 'lose'],
  ['Choose rock, paper or scissors: ', false, null, null],
])('a game that says %j is understood', (output, isTwoPlayers, other, outcome) => {
  expect(readTalk(output, isTwoPlayers)).toEqual({ other, outcome });
});

test('goals, bounds and what the agent takes come from the command line', () => {
  const args = ['--model', 'm', '--goals', 'mathx,hello', '--runs', '3', '--tool-mode', 'json'];
  const options = parseOptions(args);
  expect(options?.goals).toEqual(['mathx', 'hello']);
  expect(options).toMatchObject({ runs: 3, timeoutMs: 900_000, passedOn: ['--tool-mode', 'json'] });
});

test.each([
  [['--part', '3/2'], '--part must be'],
  [['--runs', '0'], '--runs must be'],
  [['--unknown'], '--unknown'],
])('a command line with %j is refused with its reason', (args, reason) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(reason);
});
