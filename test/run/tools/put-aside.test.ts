/** What appears in the folder while a confined program runs, where the wall itself holds nothing. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/lib/sha256.ts';
import type { ProcessRequest } from '../../../src/processes/contract.ts';
import type { SandboxFound } from '../../../src/processes/sandbox/contract.ts';
import type { FolderTrust } from '../../../src/round/permission/folder-trust.ts';
import { processesFor } from '../../../src/run/servers/start-servers.ts';
import { besideIn, confinementOf, processesBehind } from '../../../src/run/tools/confinement.ts';
import type { KnownFile } from '../../../src/schema/state-parts/run-facts.ts';
import { realFolder, textIn } from '../../support/real-run.ts';
import { machineWith } from '../../support/sandboxed.ts';

const WITHOUT_A_WALL: SandboxFound = {
  kind: 'holds',
  sandbox: { name: 'none', commandFor: (command) => command },
};

describe('what a confined program leaves that no program outside may meet', () => {
  it('is put aside', async () => {
    const paths = [
      '.venv/bin/python venv/bin/git node_modules/.bin/git .npmrc .cargo/config.toml .zed/tasks.json',
      '.fleet/run.json .run/a.xml .aider.conf.yml .yarnrc.yml .pnpmfile.cjs bunfig.toml .bashrc',
      'lib/sitecustomize.py',
    ]
      .join(' ')
      .split(' ');
    const workspace = realFolder({ '.agent_context/history.jsonl': '' });
    const machine = machineWith();
    const plain = machine.processes(workspace, []);
    const sandbox = confinementOf(
      { mode: 'require', found: WITHOUT_A_WALL },
      {
        ...{ machine, workspace, hides: () => false },
        environment: plain.outside.environment,
      },
    );
    const code = `const fs=require('fs'),path=require('path');for(const f of ${JSON.stringify(paths)}){fs.mkdirSync(path.dirname(f),{recursive:true});fs.writeFileSync(f,'x')}`;
    const { sandbox: left } = await machine.processes(workspace, [], sandbox).run(
      {
        ...{ file: process.execPath, args: ['-e', code], cwd: workspace },
        ...{ env: plain.outside.environment(), timeoutMs: 30_000, maxOutputBytes: 1000 },
      },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    expect(left?.putAside).toHaveLength(paths.length);
    for (const path of paths) expect(textIn(workspace, path)).toBeNull();
  });

  it('the folders of programs that are there can be read and not written', () => {
    const given = { '.venv/bin/pytest': '', 'node_modules/.bin/tsc': '' };
    const workspace = realFolder({ ...given, '.agent_context/history.jsonl': '' });
    const machine = machineWith();
    const { environment } = machine.processes(workspace, []).outside;
    const found = { mode: 'require', found: WITHOUT_A_WALL } as const;
    const sandbox = confinementOf(found, { machine, workspace, environment, hides: () => false });
    const around = sandbox?.around(workspace);
    expect(typeof around === 'object' && around.boundaries.guarded).toEqual([
      join(workspace, '.venv'),
      join(workspace, 'node_modules/.bin'),
    ]);
  });
});

it('what a tool or an allowed program made beside a confined one stays, and the person is told of the rest', () => {
  const workspace = realFolder({ 'a.txt': 'x' });
  const write = (path: string) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), path);
  };
  const written = { isOwn: true, hash: sha256('.vscode/settings.json') } as KnownFile;
  const told: string[] = [];
  const left: string[] = [];
  const sandbox = confinementOf(
    { mode: 'require', found: WITHOUT_A_WALL },
    {
      ...{ machine: machineWith(), workspace, environment: () => ({}), hides: () => false },
      beside: {
        files: () => ({
          '.vscode/settings.json': written,
          '.mcp.json': { ...written, hash: 'older' },
        }),
        onPutAside: (paths) => told.push(...paths),
        onLeft: (paths) => left.push(...paths),
        live: new Set(),
      },
    },
  );
  const around = sandbox?.around(workspace);
  if (typeof around !== 'object') throw new Error(around);
  write('.vscode/settings.json');
  write('.vscode/tasks.json');
  write('.mcp.json');
  const isOver = sandbox?.beside?.();
  write('AGENTS.md');
  isOver?.();
  write('.envrc');
  const aside = ['.envrc', '.mcp.json', '.vscode/tasks.json'];
  expect(around.putAside()).toEqual(aside);
  expect(told).toEqual(aside);
  expect(left).toEqual(['AGENTS.md']);
  expect(readdirSync(workspace).sort()).toEqual([
    '.agent_context',
    '.vscode',
    'AGENTS.md',
    'a.txt',
  ]);
});

it('what a tool or an allowed command of the run made while a confined server lives stays, and the person is told of the rest', async () => {
  const workspace = realFolder({ '.agent_context/history.jsonl': '' });
  const machine = machineWith();
  const found = { mode: 'require', found: WITHOUT_A_WALL } as const;
  const notices: string[] = [];
  const write = (path: string) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), path);
  };
  const written = { isOwn: true, hash: sha256('.github/workflows/ci.yml') } as KnownFile;
  const beside = besideIn({
    state: { files: { '.github/workflows/ci.yml': written } },
    emit: (event) => event.type === 'notice' && notices.push(event.text),
  });
  const policy = () => ({ hides: () => false });
  const commands = processesBehind(found, { machine, workspace, beside, policy, folders: null });
  const { confined } = processesFor(workspace, found, machine, beside);
  const at = { cwd: workspace, env: commands.processes.outside.environment() };
  const node = (code: string) => ({ ...at, file: process.execPath, args: ['-e', code] });
  const server = await confined?.open?.(node('process.stdin.resume()'), {
    ...{ onSpawn: () => {}, onText: () => {}, onEnd: () => {} },
  });
  write('.github/workflows/ci.yml');
  await commands.processes.run(
    {
      ...node("require('fs').writeFileSync('.npmrc', '')"),
      ...{ isUnsandboxed: true, timeoutMs: 30_000, maxOutputBytes: 1000 },
    },
    { signal: new AbortController().signal, onOutput: () => {} },
  );
  write('AGENTS.md');
  await server?.end();
  expect(readdirSync(workspace).sort()).toEqual(['.agent_context', '.github', '.npmrc']);
  expect(notices).toEqual([
    expect.stringMatching(/^\.npmrc appeared while .* It stays/),
    expect.stringMatching(/^AGENTS\.md appeared while .*: moved to/),
  ]);
});

it.each([
  { what: 'in a wall', wall: WITHOUT_A_WALL, held: [true, false] },
  { what: 'without one', wall: null, held: [false, false] },
])(
  'consent to a folder of programs is renewed by a package manager that no wall holds: $what',
  ({ wall, held }) => {
    const workspace = realFolder({});
    const seen: boolean[] = [];
    const folders = {
      trusted: [],
      around: (run: unknown, isConfined: (request: ProcessRequest) => boolean) => {
        for (const isUnsandboxed of [false, true])
          seen.push(isConfined({ isUnsandboxed } as ProcessRequest));
        return run;
      },
    } as unknown as FolderTrust;
    const policy = () => ({ hides: () => false });
    const found = { mode: 'auto', found: wall } as const;
    processesBehind(found, { machine: machineWith(), workspace, policy, folders });
    expect(seen).toEqual(held);
  },
);
