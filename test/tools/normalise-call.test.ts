import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listDir } from '../../src/tools/builtin/list-dir.ts';
import { markSubtaskComplete } from '../../src/tools/builtin/mark-subtask-complete.ts';
import { readFile } from '../../src/tools/builtin/read-file.ts';
import { type RunCmdOptions, runCmdTool } from '../../src/tools/builtin/run-cmd.ts';
import { writeFile } from '../../src/tools/builtin/write-file.ts';
import { zodSchema } from '../../src/tools/calls/args-schema.ts';
import { normalisedCall } from '../../src/tools/calls/normalise-call.ts';
import { callUsage } from '../../src/tools/calls/usage.ts';
import { judgeCall, validateCall } from '../../src/tools/calls/validate-call.ts';
import type { Tool } from '../../src/tools/contract.ts';
import { fc } from '../support/dice.ts';

const runCmd: Tool = {
  ...runCmdTool({} as RunCmdOptions),
  args: zodSchema(z.object({ cmd: z.string(), timeout_sec: z.number().default(120) })),
};
const tools = [listDir, readFile, writeFile, runCmd, markSubtaskComplete];
const validate = (name: string, args: Record<string, unknown>) =>
  validateCall(normalisedCall({ id: 'c1', name, args }, tools), tools);

describe('a call', () => {
  it.each([
    'read_file',
    'functions.read_file',
    'ReadFile',
    'read-file',
    'READ_FILE',
    'tools.readFile',
    'read_file<|channel|>commentary',
    'functions.read_file:0',
    'functions_read_file',
    'default_api.read_file',
    ' read_file() ',
  ])('named %s is read_file', (name) => {
    expect(validate(name, { path: 'a' })).toMatchObject({
      kind: 'valid',
      tool: { name: 'read_file' },
    });
  });

  it('is no command for a boolean in the place of its text: that would be the program true', () => {
    expect(validate('run_cmd', { cmd: true })).toMatchObject({ kind: 'invalid' });
  });

  it('to a tool that is not there is answered with those that are', () => {
    expect(validate('reed_file', {})).toMatchObject({
      kind: 'invalid',
      message:
        'There is no tool "reed_file". ' +
        'Did you mean read_file {path: string, max_bytes?: integer, start_line?: integer, end_line?: integer}? ' +
        'The tools are: list_dir, read_file, write_file, run_cmd, mark_subtask_complete.',
    });
  });

  it.each([
    ['execute_command', 'run_cmd'],
    ['create_file', 'write_file'],
    ['readdir', 'list_dir'],
    ['attempt_completion', 'mark_subtask_complete'],
  ])('named %s is answered with the arguments of %s, and not carried out', (name, near) => {
    const call = validate(name, { path: 'a', content: 'b', cmd: 'ls', success: true });
    expect(call).toHaveProperty('message', expect.stringContaining(`Did you mean ${near} {`));
  });

  it.each(['', '???', '日本', 'constructor', '__proto__', 'x'.repeat(50_000)])(
    'with the odd name %.20s is answered in few words',
    (name) => {
      const call = validate(name, {});
      expect(call.kind).toBe('invalid');
      expect(call.kind === 'invalid' && call.message.length).toBeLessThan(400);
    },
  );

  it('with a name longer than any is compared with no name in full', () => {
    const compared: number[] = [];
    const called = {
      includes: (name: string) => compared.push(name.length) === 0,
    } as unknown as readonly string[];
    const watched: Tool = { ...readFile, aliases: { ...readFile.aliases, called } };
    normalisedCall({ id: 'c1', name: 'Look_At', args: {} }, [watched]);
    normalisedCall({ id: 'c1', name: 'x '.repeat(5_000), args: {} }, [watched]);
    expect(compared).toEqual([6]);
  });

  it('with keys of JavaScript itself is refused, and with a thousand faults in few words', () => {
    const odd = JSON.parse('{"path": "a", "__proto__": {"content": "b"}, "constructor": 1}');
    expect(validate('write_file', odd)).toMatchObject({ kind: 'invalid' });
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`argument_${n}`, n]));
    const call = validate('read_file', { path: 'a', ...many });
    expect(call.kind === 'invalid' && call.message.length).toBeLessThan(700);
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

  it('may say one argument twice where one of the two is only talk', () => {
    const args = { summary: 'all of it', message: 'tests pass', success: true };
    expect(validate('done', args).kind).toBe('invalid');
    expect(validate('mark_subtask_complete', args)).toMatchObject({
      args: { success: true, reason: 'tests pass' },
    });
  });

  it('is normalised once: doing it again changes nothing', () => {
    const known = ['path', 'file', 'content', 'text', 'cmd', 'timeout', 'input', 'success'];
    const more = ['reason', 'message', 'summary', 'output', 'arguments', 'Path', 'note', 'x'];
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const flat = fc.dictionary(fc.constantFrom(...known, ...more), value, { maxKeys: 4 });
    const wrapped = fc.oneof(
      flat,
      flat.map((args) => ({ arguments: args })),
      flat.map((args) => ({ input: { params: args } })),
    );
    const name = fc.constantFrom('write_file', 'readFile', 'functions.run_cmd', 'done', 'ls');
    fc.assert(
      fc.property(name, wrapped, (called, args) => {
        const once = normalisedCall({ id: 'c', name: called, args }, tools);
        expect(normalisedCall(once, tools)).toEqual(once);
      }),
    );
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

it('a tool is shown with the choices, lists and objects among its arguments', () => {
  const args = z.object({
    mode: z.enum(['fast', 'slow']),
    paths: z.array(z.string()),
    limit: z.union([z.number(), z.string()]).optional(),
    range: z.object({ from: z.number(), to: z.number().optional() }).optional(),
  });
  expect(callUsage({ ...runCmd, name: 'look', args: zodSchema(args) })).toBe(
    'look {mode: "fast" | "slow", paths: string[], limit?: number | string, range?: {from: number, to?: number}}',
  );
});

it('a judgement names the tool that is meant, and what speaks against the call', () => {
  const judge = (name: string, args: Record<string, unknown>) =>
    judgeCall({ id: 'c1', name, args }, tools);
  expect(judge('ReadFile', { file: 'a' })).toMatchObject({
    ...{ tool: 'read_file', isReadOnly: true, fault: null },
  });
  expect(judge('run_cmd', {})).toMatchObject({
    ...{ tool: 'run_cmd', isReadOnly: false, usage: 'run_cmd {cmd: string, timeout_sec?: number}' },
    fault: expect.stringContaining('cmd'),
  });
  expect(judge('erase', {})).toMatchObject({ tool: null, usage: '', isReadOnly: false });
});
