import { expect, test } from 'vitest';
import { createStyle, speaksUnicode, wantsColor } from '../../../../src/cli/render/text/style.ts';

test.each([
  [{}, true, false],
  [{ TERM: 'xterm-256color' }, true, true],
  [{ TERM: 'xterm-256color' }, false, false],
  [{ TERM: 'xterm', NO_COLOR: '1' }, true, false],
  [{ TERM: 'xterm', NO_COLOR: '' }, true, true],
  [{ COLORTERM: 'truecolor' }, true, true],
  [{ TERM: 'xterm', CI: '1' }, true, false],
  [{ TERM: 'xterm', CI: '1', GITHUB_ACTIONS: 'true' }, true, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: 'true' }, false, true],
  [{ FORCE_COLOR: 'false', TERM: 'xterm' }, true, false],
  [{ FORCE_COLOR: 'much' }, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('with %j on a terminal (%s) colour is %s', (env, isTerminal, expected) => {
  expect(wantsColor(env, isTerminal)).toBe(expected);
});

test.each([
  [{ LANG: 'en_US.UTF-8' }, 'linux', true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'linux', false],
  [{}, 'linux', false],
  [{}, 'darwin', true],
  [{ LANG: 'C.UTF-8', TERM: 'linux' }, 'linux', false],
  [{}, 'win32', false],
  [{ WT_SESSION: 'x' }, 'win32', true],
] as const)('with %j on %s unicode is %s', (env, platform, expected) => {
  expect(speaksUnicode(env, platform)).toBe(expected);
});

test('without unicode every mark is one ASCII character', () => {
  const { glyphs } = createStyle({ env: {}, platform: 'win32' }, { isTerminal: true });
  expect(Object.values(glyphs.status)).toEqual(['+', '>', '.', 'x', '~']);
});
