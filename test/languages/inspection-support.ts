import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { InspectionDeps } from '../../src/languages/files/inspection.ts';
import type { ProcessOutcome, ProcessRequest } from '../../src/processes/contract.ts';
import { parsedHere } from '../support/parsed-here.ts';

/** A python that answers, found once; `null` where this machine has none. */
export const PYTHON: string | null =
  pythonNamed('python3') ?? pythonNamed('python') ?? pythonNamed('py');

function pythonNamed(name: string): string | null {
  const code = 'import sys; print(sys.executable)';
  const { status, stdout } = spawnSync(name, ['-c', code], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** A machine on which no checker is installed. */
export const NO_PROGRAMS: Partial<InspectionDeps> = { program: () => Promise.resolve(null) };

export interface Folder {
  readonly deps: InspectionDeps;
  readonly runs: ProcessRequest[];
  dispose(): void;
}

/** A real folder with these files, and real checkers behind a port that notes each run. */
export function folderOf(
  files: { readonly [path: string]: string },
  given: Partial<InspectionDeps> = {},
): Folder {
  const workspace = mkdtempSync(join(tmpdir(), 'probe ü '));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const runs: ProcessRequest[] = [];
  const run = parsedHere(async (request) => runNow(request));
  const deps: InspectionDeps = {
    workspace,
    readText: (path) => {
      try {
        return readFileSync(join(workspace, path), 'utf8');
      } catch {
        return null;
      }
    },
    exists: (path) => existsSync(join(workspace, path)),
    processes: {
      run: (request, hooks) => {
        runs.push(request);
        return run(request, hooks);
      },
    },
    program: () => Promise.resolve(PYTHON),
    runtime: process.execPath,
    env: { PATH: process.env.PATH ?? '', SYSTEMROOT: process.env.SYSTEMROOT ?? '' },
    signal: new AbortController().signal,
    ...given,
  };
  return { deps, runs, dispose: () => rmSync(workspace, { recursive: true, force: true }) };
}

function runNow(request: ProcessRequest): ProcessOutcome {
  const ran = spawnSync(request.file, request.args, {
    cwd: request.cwd,
    env: request.env,
    input: request.stdin ?? '',
    encoding: 'utf8',
    timeout: request.timeoutMs,
  });
  return {
    kind: ran.error ? 'spawn_failed' : 'exited',
    exitCode: ran.status,
    signal: ran.signal,
    output: `${ran.stdout ?? ''}${ran.stderr ?? ''}`,
    truncatedBytes: 0,
    durationMs: 0,
  };
}
