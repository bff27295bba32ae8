/**
 * Python for the tests of the oracles: they run pytest nearly a hundred times, which takes ten times as long to load
 * as what it is to do, and small programs three times as often. Owns one Python that has loaded pytest; every run is
 * a fork of that.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Played, Programs } from '../../eval/programs.ts';

const TIMEOUT_MS = 10_000;

interface Running {
  pid: number | null;
  readonly ended: (code: number | null) => void;
}

/** @param python a program that has pytest. Not for Windows, which forks nothing. */
export function forkedPython(python: string): Programs['python'] {
  const runs = new Map<number, Running>();
  let server: ChildProcess | null = null;
  let count = 0;
  return async (args, { cwd, env, stdin = '', timeoutMs = TIMEOUT_MS }) => {
    server ??= started(python, runs);
    count += 1;
    const id = count;
    const folder = mkdtempSync(join(tmpdir(), 'tardigrade-python-'));
    const streams = { stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr') };
    let timedOut = false;
    try {
      const ended = new Promise<number | null>((resolve) => {
        runs.set(id, { pid: null, ended: resolve });
      });
      const child = { ...process.env, PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1', ...env };
      server.stdin?.write(`${JSON.stringify({ id, cwd, env: child, args, stdin, ...streams })}\n`);
      const timer = setTimeout(() => {
        timedOut = true;
        endGroup(runs.get(id)?.pid ?? null);
      }, timeoutMs);
      const exitCode = await ended;
      clearTimeout(timer);
      const [stdout, stderr] = [textOf(streams.stdout), textOf(streams.stderr)];
      return { exitCode, timedOut, stdout, output: `${stdout}${stderr}` } satisfies Played;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

function endGroup(pid: number | null): void {
  try {
    if (pid !== null) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended just now.
  }
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It ended before it had begun.
    return '';
  }
};

/** Ends with its input, when this process does; until then it holds nobody up. */
function started(python: string, runs: Map<number, Running>): ChildProcess {
  const script = join(import.meta.dirname, 'fork-python.py');
  const child = spawn(python, ['-u', '-B', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  let pending = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${pending}${text}`.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const { id, pid, code } = JSON.parse(line);
      const running = runs.get(id);
      if (pid !== undefined && running) running.pid = pid;
      if (code === undefined) continue;
      runs.delete(id);
      running?.ended(code);
    }
  });
  const end = () => {
    for (const { ended } of runs.values()) ended(null);
    runs.clear();
  };
  child.on('error', end).on('close', end);
  for (const one of [child, child.stdin, child.stdout]) (one as { unref?: () => void }).unref?.();
  return child;
}
