/** What is drawn, read, held and given back, whatever is at work on the terminal. */
import { expect, test } from 'vitest';
import { InputLine } from '../../../src/cli/screen/input-line.ts';
import { Region } from '../../../src/cli/screen/region.ts';
import { ScreenStage } from '../../../src/cli/screen/stage.ts';
import { TerminalScreen } from '../../support/terminal-screen.ts';
import { type FakeTerminalOptions, fakeTerminal, memorySink } from '../support.ts';

function open(options: FakeTerminalOptions = {}, isForeground = true) {
  const terminal = fakeTerminal({ isTerminal: true, env: { TERM: 'xterm' }, ...options });
  const input = new InputLine();
  const sent: string[] = [];
  const stage = new ScreenStage({
    ...{ terminal, input },
    isForeground: () => isForeground,
    isMoving: () => false,
    frame: () => ['a frame', `> ${input.draft.text}`],
    sent: (text) => sent.push(text),
    interrupt: () => {},
  });
  stage.open();
  const screen = new TerminalScreen(80, 24);
  let shown = 0;
  const look = async (): Promise<string> => {
    const text = terminal.stderr.text().slice(shown).replaceAll('\n', '\r\n');
    shown = terminal.stderr.text().length;
    await screen.write(text);
    return screen.text();
  };
  return { terminal, stage, sent, look };
}

test('lines stand above the frame, once, and nothing of the frame is left behind', async () => {
  const { terminal, stage, sent, look } = open();
  stage.write(terminal.stderr, ['one', 'two']);
  expect(await look()).toBe('one\ntwo\na frame\n>');
  terminal.type('said\r');
  expect(sent).toEqual(['said']);
  stage.close(['the end']);
  expect(await look()).toBe('one\ntwo\nthe end');
  expect(terminal.leftovers()).toBe(0);
});

test('what is written elsewhere than the frame is whole there, and the frame is drawn again', async () => {
  const { stage, look } = open();
  const file = memorySink();
  stage.write(file, ['an answer']);
  expect(file.text()).toBe('an answer\n');
  expect(await look()).toBe('a frame\n>');
});

test('what comes while it is held is written when it is given back, or at the end', async () => {
  const { terminal, stage, look } = open();
  const release = stage.hold(['above']);
  stage.write(terminal.stderr, ['one']);
  expect(terminal.type('x')).toBe(false);
  expect(await look()).toBe('above');
  release();
  expect(await look()).toBe('above\none\na frame\n>');
  stage.hold();
  stage.write(terminal.stderr, ['two']);
  stage.close(['the end']);
  expect(await look()).toBe('above\none\ntwo\nthe end');
});

test('a paste whose end a question has read is over when the keys are given back', async () => {
  const { terminal, stage, sent } = open();
  terminal.type('\u001b[200~one');
  stage.hold()();
  terminal.type(' two');
  terminal.type('\r');
  expect(sent).toEqual(['one two']);
});

test('on Windows nothing stops it, and in the background no key is read', async () => {
  const { terminal, look } = open({ platform: 'win32' });
  terminal.type('a\u001ab');
  expect(terminal.stops).toEqual([]);
  terminal.send('SIGCONT');
  expect(await look()).toBe('a frame\n> ab');
  expect(open({}, false).terminal.type('x')).toBe(false);
});

test('of a frame that changes only the changed lines are written, and the rest stays', async () => {
  const terminal = fakeTerminal({ isTerminal: true, env: { TERM: 'xterm' } });
  const screen = new TerminalScreen(80, 24);
  const region = new Region(terminal);
  const look = async (frame: readonly string[]): Promise<readonly [string, string]> => {
    const before = terminal.stderr.text().length;
    region.draw(frame);
    const drawn = terminal.stderr.text().slice(before);
    await screen.write(drawn.replaceAll('\n', '\r\n'));
    return [screen.text(), drawn];
  };
  await look(['a long first line', 'two', 'three', 'a long last line']);
  const [seen, drawn] = await look(['a long first line', 'zwei', 'drei', 'a long last line']);
  expect(seen).toBe('a long first line\nzwei\ndrei\na long last line');
  expect(drawn).not.toContain('long');
  expect((await look(['a long first line', 'zwei', 'drei', 'a long last line']))[1]).toBe('');
  expect((await look(['one', 'two']))[0]).toBe('one\ntwo');
});
