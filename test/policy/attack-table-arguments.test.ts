/** Arguments of any form: none of them reaches a tool. */
import { describe, expect, it } from 'vitest';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { validateCall } from '../../src/tools/calls/validate-call.ts';
import { policyRequestOf } from '../../src/tools/decision.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { policyIn } from './support.ts';

const tools = builtinTools({} as RunCmdOptions);
const tool = (name: string) => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

const long = 'x'.repeat(600_000);
const deep = Array.from({ length: 80 }).reduce<unknown>((inside) => ({ inside }), 1);
/** Of every tool that takes a path or a command, values that are none. */
const ODD: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  true,
  [],
  {},
  ['a'],
  [['a']],
  { path: 'a' },
  { toString: 'a' },
  deep,
  { __proto__: { x: 1 } },
  [null],
  { length: 1 },
  Number.MAX_SAFE_INTEGER,
  [1, 2],
  { $ref: '#/x' },
];
const MAIN: readonly (readonly [tool: string, argument: string, rest: object])[] = [
  ['read_file', 'path', {}],
  ['write_file', 'path', { content: 'x' }],
  ['edit_file', 'path', { old_text: 'a', new_text: 'b' }],
  ['run_cmd', 'cmd', {}],
  ['move_file', 'path', { to: 'b' }],
  ['delete_file', 'path', {}],
];

describe('100 objects as arguments', () => {
  const rows = MAIN.flatMap(([name, argument, rest]) =>
    ODD.map((value) => [name, { ...rest, [argument]: value }] as const),
  );
  const more: readonly (readonly [string, Record<string, unknown>])[] = [
    ['run_cmd', { cmd: long }],
    ['run_cmd', { cmd: 'ls', timeout_sec: -1 }],
    ['run_cmd', { cmd: 'ls', timeout_sec: 1e9 }],
    ['run_cmd', { cmd: 'ls', env: 'PATH=x' }],
    ['run_cmd', { cmd: 'ls', env: { PATH: 1 } }],
    ['read_file', { path: 'a', start_line: -1 }],
    ['read_file', { path: 'a', max_bytes: -5 }],
    ['write_files', { files: 'a' }],
    ['write_files', { files: [] }],
    ['write_files', { files: [{ path: 'a' }] }],
    [
      'write_files',
      { files: Array.from({ length: 101 }, (_, at) => ({ path: `f${at}`, content: '' })) },
    ],
    ['write_file', {}],
    ['delete_file', {}],
    ['nobody_knows', { path: 'a' }],
    ['__proto__', {}],
    ['constructor', { cmd: 'ls' }],
  ];

  it('are a hundred, and none of them reaches a tool', () => {
    const all = [...rows, ...more];
    expect(all.length).toBeGreaterThanOrEqual(100);
    for (const [name, args] of all) {
      const valid = validateCall({ id: 'x', name, args: args as Record<string, unknown> }, tools);
      const shown = `${name} ${JSON.stringify(args).slice(0, 80)}`;
      expect([shown, valid.kind]).toEqual([shown, 'invalid']);
    }
  });

  it('with names of objects’ own change no object', () => {
    const args = JSON.parse(
      '{"path":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    validateCall({ id: 'x', name: 'read_file', args }, tools);
    policyIn({}).decideNow(policyRequestOf(tool('read_file'), args, 'model'));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
