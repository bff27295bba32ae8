import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../src/tools/contract.ts';
import { listDir } from '../../src/tools/list-dir.ts';
import { markSubtaskComplete } from '../../src/tools/mark-subtask-complete.ts';
import { readFile } from '../../src/tools/read-file.ts';
import { ok } from '../../src/tools/result.ts';
import { validateCall } from '../../src/tools/validate-call.ts';
import { writeFile } from '../../src/tools/write-file.ts';

const runCmd: Tool = {
  name: 'run_cmd',
  description: '',
  class: 'command',
  args: z.object({ cmd: z.string(), timeout_sec: z.number().default(120) }),
  prepare: async () => ({ kind: 'ready', files: [], perform: async () => ok('') }),
};
const tools = [listDir, readFile, writeFile, runCmd, markSubtaskComplete];
const validate = (name: string, args: Record<string, unknown>) =>
  validateCall({ id: 'c1', name, args }, tools);

describe('a call', () => {
  it.each([
    'read_file',
    'functions.read_file',
    'ReadFile',
    'read-file',
    'READ_FILE',
    'tools.readFile',
    'read_file<|channel|>commentary',
  ])('named %s is read_file', (name) => {
    expect(validate(name, { path: 'a' })).toMatchObject({
      kind: 'valid',
      tool: { name: 'read_file' },
    });
  });

  it('to a tool that is not there is answered with those that are', () => {
    expect(validate('reed_file', {})).toMatchObject({
      kind: 'invalid',
      message:
        'There is no tool "reed_file". Did you mean read_file? ' +
        'The tools are: list_dir, read_file, write_file, run_cmd, mark_subtask_complete.',
    });
  });

  it.each([
    [{ filename: 'a' }],
    [{ file: 'a' }],
    [{ filePath: 'a' }],
    [{ Path: 'a' }],
    [{ arguments: { path: 'a' } }],
    [{ path: 'a', max_bytes: null }],
    [{ path: 'a', reason: 'I want to see it' }],
  ])('to read_file with %j reads a', (args) => {
    expect(validate('read_file', args)).toMatchObject({ kind: 'valid', args: { path: 'a' } });
  });

  it('may give numbers and booleans as text, and text as numbers', () => {
    expect(validate('read_file', { path: 'a', start_line: '3' })).toMatchObject({
      args: { path: 'a', start_line: 3 },
    });
    expect(validate('mark_subtask_complete', { success: 'True' })).toMatchObject({
      args: { success: true },
    });
    expect(validate('write_file', { path: 'a', content: 5 })).toMatchObject({
      args: { path: 'a', content: '5', create_dirs: true },
    });
    expect(validate('run_cmd', { command: 'python a.py', timeout: '5' })).toMatchObject({
      args: { cmd: 'python a.py', timeout_sec: 5 },
    });
  });

  it('may give the content of a JSON file as a value, of no other file', () => {
    const content = { name: 'x' };
    expect(validate('write_file', { path: 'package.json', content })).toMatchObject({
      args: { content: '{\n  "name": "x"\n}\n' },
    });
    expect(validate('write_file', { path: 'a.py', content })).toMatchObject({ kind: 'invalid' });
  });

  it('that can be read in two ways is not guessed', () => {
    expect(validate('read_file', { file: 'a', filename: 'b' })).toMatchObject({ kind: 'invalid' });
    expect(validate('read_file', { path: 'a', file: 'b' })).toMatchObject({ kind: 'invalid' });
  });

  it('with an argument that would change its meaning is refused, not carried out without it', () => {
    const call = validate('write_file', { path: 'a', content: 'b', append: true });
    expect(call).toMatchObject({ kind: 'invalid', tool: 'write_file' });
    expect(call).toHaveProperty('message', expect.stringContaining('append'));
    expect(validate('run_cmd', { cmd: 'ls', cwd: 'src' })).toMatchObject({ kind: 'invalid' });
  });

  it('that misses an argument is answered with all of them', () => {
    expect(validate('write_file', { path: 'a' })).toHaveProperty(
      'message',
      expect.stringContaining('write_file {path: string, content: string, create_dirs?: boolean}'),
    );
    expect(validate('read_file', { path: ['a'] })).toMatchObject({ kind: 'invalid' });
  });

  it('has one signature however it was written, and another with other arguments', () => {
    const signature = (name: string, args: Record<string, unknown>) =>
      validate(name, args).signature;
    const plain = signature('write_file', { path: 'a', content: 'b' });
    expect(plain).toMatch(/^[0-9a-f]{16}$/);
    expect(signature('WriteFile', { content: 'b', create_dirs: 'true', file: 'a' })).toBe(plain);
    expect(signature('write_file', { path: 'a', content: 'c' })).not.toBe(plain);
  });
});
