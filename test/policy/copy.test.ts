/** In a copy of the workspace, where a subtask works as a run of its own, whatever the rules allow. */
import { describe, expect, it } from 'vitest';
import { policyOf } from '../../src/policy/policy.ts';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { type PolicyRequest, policyRequestOf } from '../../src/tools/decision.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { optionsIn, type PolicyPlace } from './support.ts';

const HERE = 'This subtask is done in a copy of the folder, beside others';
const INSTALLS = `${HERE}: nothing is installed there.`;
const REACHES = `${HERE}: nothing outside of it is reached from there.`;
const STAYS = `${HERE}: nothing runs there in the background.`;

const EVERYTHING: PolicyPlace = {
  rules: { user: { allow: ['run_cmd(*)', 'shell(*)', 'web_fetch(*)', 'mcp__files__*'] } },
};

const policy = policyOf({ ...optionsIn(EVERYTHING), isInCopy: true, canAsk: true });
const tools = builtinTools({} as RunCmdOptions, { shell: true, web: true });

const call = (name: string, args: Record<string, unknown>): PolicyRequest => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return policyRequestOf(tool, args, 'model');
};

const ofServer: PolicyRequest = {
  ...{ tool: 'mcp__files__read', touches: 'reads', target: null, reaches: [], args: {} },
  ...{ server: { name: 'files', tool: 'read' }, asker: 'model' },
};

describe('a call in a copy of the workspace', () => {
  it.each([
    ['npm install left-pad', INSTALLS],
    ['npx cowsay hi', INSTALLS],
    ['pip install requests', INSTALLS],
    ['cat ../notes.txt', REACHES],
    ['cat /etc/hostname', REACHES],
    ['node build.mjs --out=/tmp/x', REACHES],
    ['tar -C/tmp -xf a.tar', REACHES],
    ['dd if=a of=/tmp/a', REACHES],
    ['git -C .. status', REACHES],
    ['/opt/tool/bin/run', REACHES],
    ['ssh host ls', REACHES],
    ['curl https://example.com', REACHES],
  ])('is denied where it leaves it: %s', (cmd, reason) => {
    expect(policy.decideNow(call('run_cmd', { cmd }))).toMatchObject({ kind: 'deny', reason });
  });

  it.each([
    [
      'a program in the background',
      call('run_cmd', { cmd: 'node a.mjs', background: true }),
      STAYS,
    ],
    ['a line of a shell', call('shell', { line: 'cat a.txt > ../b.txt' }), REACHES],
    ['a page of the web', call('web_fetch', { url: 'https://example.com' }), REACHES],
    ['a tool of a server', ofServer, REACHES],
  ])('is denied as %s', (_what, request, reason) => {
    expect(policy.decideNow(request)).toMatchObject({
      kind: 'deny',
      reason,
      hint: expect.stringContaining('end it as not done: then it is done in the folder itself'),
    });
  });

  it('is judged as everywhere where it stays there', () => {
    expect(policy.decideNow(call('run_cmd', { cmd: 'node a.mjs' }))).toMatchObject({
      kind: 'allow',
    });
    expect(policy.decideNow(call('read_file', { path: 'a.mjs' }))).toMatchObject({ kind: 'allow' });
  });
});
