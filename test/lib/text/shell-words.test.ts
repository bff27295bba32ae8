import { expect, test } from 'vitest';
import { resumeCommand } from '../../../src/cli/command-line/resume-command.ts';
import { commandLine, quote } from '../../../src/lib/text/shell-words.ts';

test.each([
  ['win32', 'C:\\work', 'C:\\work'],
  ['win32', 'C:\\Users\\Ada Byron\\work', '"C:\\Users\\Ada Byron\\work"'],
  ['win32', 'say "hi"', '"say \\"hi\\""'],
  ['win32', 'D:\\my work\\', '"D:\\my work\\\\"'],
  ['win32', 'a\\"b', '"a\\\\\\"b"'],
  ['win32', 'one,two', '"one,two"'],
  ['win32', '', '""'],
  ['linux', '/home/ada/work', '/home/ada/work'],
  ['linux', "Ada's work", "'Ada'\\''s work'"],
  ['linux', 'a\\b', "'a\\b'"],
  ['linux', '$HOME', "'$HOME'"],
  ['linux', 'a\nb', "$'a\\nb'"],
  ['linux', 'a\u200b', "$'a\\xe2\\x80\\x8b'"],
  ['win32', 'a\u200bb', '"a\\u{200b}b"'],
] as const)('on %s the word %s is typed as %s', (platform, word, typed) => {
  expect(quote(word, platform)).toBe(typed);
});

test('the command that resumes can be typed on win32', () => {
  const place = {
    workspaceOption: 'C:\\my work',
    model: 'qwen2.5:1.5b',
  };
  expect(resumeCommand(place, { program: 'agent', platform: 'win32' })).toBe(
    'agent resume --workspace "C:\\my work" --model qwen2.5:1.5b',
  );
  const server = { ...place, workspaceOption: null, baseUrl: 'http://127.0.0.1:8080/v1' };
  expect(resumeCommand(server, { program: 'agent', platform: 'linux' })).toBe(
    'agent resume --model qwen2.5:1.5b --base-url http://127.0.0.1:8080/v1',
  );
  expect(resumeCommand(server, { program: 'agent', platform: 'linux' }, true)).toBe('agent resume');
  expect(commandLine(['agent', 'Write it'], 'win32')).toBe('agent "Write it"');
});
