import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandsSaid } from '../../src/languages/allowed-commands.ts';
import { type Policy, policyOf } from '../../src/policy/policy.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import type { RunCmdOptions } from '../../src/tools/run-cmd.ts';
import { insteadOf, targetOf } from '../../src/tools/toolset.ts';
import { makeWorkspace, type TestWorkspace } from '../tools/support.ts';

const tools = builtinTools({} as RunCmdOptions);

function policyIn(workspace: TestWorkspace, allow: readonly string[] = []): Policy {
  return policyOf({
    ...{ fs: workspace.context.fs, workspace: workspace.root, allow },
    insteadOf: insteadOf(tools),
    said: commandsSaid(''),
  });
}

const decide = (policy: Policy, cmd: string, asker: 'model' | 'engine' = 'model') =>
  policy.decide({
    ...{ tool: 'run_cmd', touches: 'process', args: { cmd }, asker },
    target: targetOf(tools, 'run_cmd', { cmd }),
  });

describe('the policy', () => {
  it.each([
    ['rm -rf .', '--allow rm'],
    ['python ../x.py', 'outside the workspace'],
    ['./a.sh', 'Allowed are'],
    ['ls', 'Use the tool list_dir. Allowed are'],
    ['rm x', 'Use the tool delete_file. Allowed are'],
  ])('denies %j, to the model as to a check, and says what else', async (cmd, text) => {
    const policy = policyIn(makeWorkspace());
    for (const asker of ['model', 'engine'] as const) {
      const decision = await decide(policy, cmd, asker);
      expect(decision.kind).toBe('deny');
      expect(Object.values(decision).join(' ')).toContain(text);
    }
  });

  it('denies a script behind a link that leads out of the workspace', async () => {
    const workspace = makeWorkspace();
    const other = makeWorkspace();
    other.write('x.mjs', 'console.log(1)');
    symlinkSync(other.root, `${workspace.root}/link`);
    expect(await decide(policyIn(workspace), 'node link/x.mjs')).toMatchObject({ kind: 'deny' });
  });

  it('allows what the list or the user allows', async () => {
    const workspace = makeWorkspace();
    expect(await decide(policyIn(workspace), 'node a.mjs')).toEqual({ kind: 'allow' });
    expect(await decide(policyIn(workspace, ['make']), 'make all')).toEqual({ kind: 'allow' });
    expect(await decide(policyIn(workspace), 'make all')).toMatchObject({ kind: 'deny' });
  });

  it('leaves a line that cannot be read to the tool, and other tools to themselves', async () => {
    const policy = policyIn(makeWorkspace());
    expect(await decide(policy, 'python a.py | cat')).toEqual({ kind: 'allow' });
    const request = { touches: 'files', args: {}, asker: 'model' } as const;
    const target = { kind: 'file', text: 'sudo' } as const;
    const write = await policy.decide({ tool: 'write_file', target, ...request });
    expect(write).toEqual({ kind: 'allow' });
  });

  it('finds in a planned command the fault that a call of it would be told', async () => {
    const policy = policyIn(makeWorkspace());
    expect(policy.commandFault('node a.mjs')).toBeNull();
    expect(policy.commandFault('node a.mjs | cat')).toMatch(/^node a.mjs \| cat: .*one program/);
    const denied = await decide(policy, 'make all');
    const { reason, hint } = denied as { reason: string; hint: string };
    expect(policy.commandFault('make all')).toBe(`make all: ${reason} ${hint}`);
  });
});
