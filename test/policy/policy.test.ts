import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/policy/policy.ts';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { targetOf } from '../../src/tools/toolset.ts';
import { makeWorkspace, type TestWorkspace } from '../tools/support.ts';
import { policyOver } from './support.ts';

const tools = builtinTools({} as RunCmdOptions);

function policyIn(workspace: TestWorkspace, allow: readonly string[] = []): Policy {
  return policyOver(workspace.context.fs, workspace.root, allow);
}

const decide = (policy: Policy, cmd: string, asker: 'model' | 'engine' = 'model') =>
  policy.decide({
    ...{ tool: 'run_cmd', touches: 'process', args: { cmd }, asker, reaches: [] },
    target: targetOf(tools, 'run_cmd', { cmd }),
  });

describe('what only looks', () => {
  it.each([
    ['node --version', true],
    ['python -V', true],
    ['npm -v', true],
    ['git --version', true],
    ['node --version app.js', false],
    ['./build --version', false],
    ['npx tsc --noEmit', true],
    ['npx --no-install tsc --noEmit -p tsconfig.json', true],
    ['npx tsc', false],
    ['npx tsc --noEmit --init', false],
    ['npx something --noEmit', false],
    ['eslint src', true],
    ['eslint --fix src', false],
    ['ruff check src', true],
    ['ruff check --fix', false],
    ['ruff format', false],
    ['go vet ./...', true],
    ['git grep -n word', true],
    ['git reflog', true],
    ['cat ../outside.txt', true],
    ['git -C ../other log', true],
    ['sort -o ../b.txt a.txt', false],
    ['node app.js', false],
    ['python import.py data/test_rows.csv', false],
    ['python manage.py loaddata test_users.json', false],
    ['node deploy.js --test', false],
    ['python test_a.py -v', true],
    ['node a.test.mjs', true],
    ['node --test tests/a.js', true],
    ['npx vitest run', true],
    ['git add src/a.js test/a.test.js', false],
    ['git commit -m "add npm test"', false],
    ['rm test/a.test.js', false],
    ['npm install vitest', false],
    ['npm i -D jest', false],
    ['pip install pytest', false],
    ['python -m pip install pytest', false],
    ['uv add pytest', false],
    ['gh pr create -t "run pytest"', false],
    ['curl -d pytest http://localhost', false],
    ['make pytest', false],
    ['npm test', true],
    ['npm run test:unit', true],
    ['npx vitest run', true],
    ['yarn vitest', true],
    ['pnpm vitest run a.test.ts', true],
    ['yarn test', true],
    ['uv run pytest -q', true],
    ['poetry run pytest', true],
    ['python -m pytest -k "a or b"', true],
    ['python3 -m unittest', true],
    ['go test ./...', true],
    ['node --test', true],
    ['.venv/bin/pytest', true],
  ])('%s: %s', (cmd, isLook) => {
    expect(policyIn(makeWorkspace()).isReadOnly(cmd)).toBe(isLook);
  });
});

describe('the policy', () => {
  it.each([
    ['rm -rf .', 'deny', 'never deletes .'],
    ['python ../x.py', 'deny', 'outside the workspace'],
    ['./a.sh', 'deny', 'files there are not run as programs'],
    ['touch a', 'ask', 'write_file'],
    ['rm x', 'ask', 'Use the tool delete_file. Allowed are'],
    ['rm x', 'ask', `--allow ${process.platform === 'win32' ? '"rm x"' : "'rm x'"}`],
  ])('holds back %j, of the model as of a check, and says what else', async (cmd, kind, text) => {
    const policy = policyIn(makeWorkspace());
    for (const asker of ['model', 'engine'] as const) {
      const decision = await decide(policy, cmd, asker);
      expect(decision.kind).toBe(kind);
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
    const allowed = await decide(policyIn(workspace, ['make']), 'make all');
    expect(allowed).toEqual({ kind: 'allow', isAllowedByUser: true });
    expect(await decide(policyIn(workspace), 'make all')).toMatchObject({ kind: 'ask' });
  });

  it('leaves a line that cannot be read to the tool, and other tools to themselves', async () => {
    const policy = policyIn(makeWorkspace());
    expect(await decide(policy, 'python a.py | cat')).toEqual({ kind: 'allow' });
    const request = { touches: 'files', args: {}, asker: 'model', reaches: [] } as const;
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
