import { expect, it } from 'vitest';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { normalisedCall } from '../../src/tools/calls/normalise-call.ts';
import { judgeCall, validateCall } from '../../src/tools/calls/validate-call.ts';
import { builtinTools } from '../../src/tools/registry.ts';

const tools = builtinTools({} as RunCmdOptions);

it.each([
  ['fs.list', { path: 'a' }, 'list_dir', { path: 'a' }],
  ['ls', {}, 'list_dir', { path: '.' }],
  ['fs.read', { path: 'a' }, 'read_file', { path: 'a' }],
  ['read', { file_path: 'a' }, 'read_file', { path: 'a' }],
  ['fs.write', { path: 'a', content: 'b' }, 'write_file', { path: 'a', content: 'b' }],
  ['write', { filePath: 'a', text: 'b' }, 'write_file', { path: 'a', content: 'b' }],
  [
    'edit',
    { path: 'a', oldText: 'b', newText: 'c' },
    'edit_file',
    { path: 'a', old_text: 'b', new_text: 'c' },
  ],
  ['grep', { pattern: 'x', path: 'a' }, 'search_text', { pattern: 'x', path: 'a' }],
  ['find', { pattern: '*.md' }, 'find_files', { pattern: '*.md' }],
  ['shell.exec', { cmd: 'node x', timeout_s: 5 }, 'run_cmd', { cmd: 'node x', timeout_sec: 5 }],
  ['bash', { command: 'node x' }, 'run_cmd', { cmd: 'node x' }],
  ['RunCommand', { command: 'node x' }, 'run_cmd', { cmd: 'node x' }],
  [
    'Bash',
    { command: 'node x', run_in_background: true },
    'run_cmd',
    { cmd: 'node x', background: true },
  ],
  ['BashOutput', { bash_id: 'bg1' }, 'read_output', { id: 'bg1' }],
  ['KillShell', { shell_id: 'bg1' }, 'stop_process', { id: 'bg1' }],
  ['apply_patch', { input: '*** Begin Patch' }, 'apply_patch', { patch: '*** Begin Patch' }],
])('%s %j is a call of %s', (name, args, tool, meant) => {
  const call = normalisedCall({ id: 'c', name, args }, tools);
  const valid = validateCall(call, tools);
  expect(valid).toMatchObject({ kind: 'valid', tool: { name: tool }, args: meant });
});

it('no name is that of two tools', () => {
  const all = tools.flatMap(({ name, aliases }) => [
    name.replaceAll('_', ''),
    ...(aliases?.called ?? []),
  ]);
  expect(new Set(all).size).toBe(all.length);
});

it('a name of other agents in a text is no call: it may be an example', () => {
  const judged = judgeCall({ id: 'c', name: 'bash', args: { command: 'node x' } }, tools);
  expect(judged).toMatchObject({ tool: null, fault: expect.stringContaining('run_cmd') });
});
