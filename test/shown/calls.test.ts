import { expect, test } from 'vitest';
import { callLabel, remoteOf, toolLabel } from '../../src/shown/calls.ts';

test.each([
  ['read_file', 'builtin', 'read_file'],
  ['mcp__files__read_text', 'files', 'read_text'],
  ['mcp__a__b__c', 'a', 'b__c'],
])('%s is the tool of a server, or built in', (name, server, tool) => {
  expect(remoteOf(name)).toEqual({ server, tool });
});

test.each([
  ['run_cmd', 'git commit -m x', 'run git commit -m x'],
  ['list_dir', '', 'list'],
  ['mcp__files__read_text', 'files.read_text', 'files.read_text'],
  ['mcp__files__read_text', '', 'files.read_text'],
  ['send_mail', 'send_mail', 'send_mail'],
])('a call of %s about "%s" is said as "%s"', (tool, target, said) => {
  expect(callLabel({ tool, target })).toBe(said);
});

test('a tool is named by its server, or by its own name', () => {
  expect(['mcp__files__read_text', 'read_file'].map(toolLabel)).toEqual([
    'files.read_text',
    'read_file',
  ]);
});
