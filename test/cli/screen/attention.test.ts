import { expect, test } from 'vitest';
import { alertOf } from '../../../src/cli/process/terminal.ts';
import { Attention } from '../../../src/cli/screen/attention.ts';
import { fakeTerminal } from '../support.ts';

function watched(isWanted = true) {
  const terminal = fakeTerminal({ isTerminal: true });
  const said: string[] = [];
  const alert = (words: string): void => void said.push(words);
  return { attention: new Attention({ ...terminal, alert }, isWanted), terminal, said };
}

test('who looks is not called; who looks at something else is, as the terminal reports it', () => {
  const { attention, said } = watched();
  expect(attention.read('a\u001b[Ib')).toBe('ab');
  attention.call('seen');
  expect(attention.read('\u001b[O')).toBe('');
  attention.call('ended');
  expect(said).toEqual(['ended']);
});

test('where nothing is reported, half a minute without a key is to look at something else', () => {
  const { attention, terminal, said } = watched();
  terminal.advance(20_000);
  attention.read('x');
  terminal.advance(29_000);
  attention.call('too early');
  terminal.advance(1000);
  attention.call('ended');
  expect(said).toEqual(['ended']);
});

test('nobody is called who does not want it, and no terminal without a bell', () => {
  const { attention, terminal, said } = watched(false);
  terminal.advance(60_000);
  attention.call('ended');
  expect([attention.isWanted, said]).toEqual([false, []]);
  expect(new Attention(fakeTerminal(), true).isWanted).toBe(false);
});

test('words go to terminals that are known to show them, a bell to all others', () => {
  expect(alertOf('Ended.', { TERM_PROGRAM: 'WezTerm' })).toBe('\u001b]9;Ended.\u0007');
  expect(alertOf('Ended.', { TERM: 'xterm-kitty' })).toContain(']9;Ended.');
  expect(alertOf('Ended.', { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' })).toBe('\u0007');
});
