/** Starts what a run left behind, with a time limit, and never trusts it to end. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Played {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  /** Both streams as they came. */
  readonly output: string;
}

export interface PlayOptions {
  readonly cwd: string;
  readonly stdin?: string;
  readonly env?: { readonly [name: string]: string };
  readonly timeoutMs?: number;
}

export interface Programs {
  python(args: readonly string[], options: PlayOptions): Promise<Played>;
  node(args: readonly string[], options: PlayOptions): Promise<Played>;
}

const TIMEOUT_MS = 10_000;
/** Enough of an endless loop's output. */
const MAX_OUTPUT = 200_000;

export function programs(pythonProgram: string): Programs {
  return {
    python: (args, options) => play(pythonProgram, ['-u', '-B', ...args], options),
    node: (args, options) => play(process.execPath, args, options),
  };
}

/** Ends a process and, on POSIX, everything it started in its group. */
export function endTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') {
      spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    } else {
      process.kill(-child.pid, 'SIGKILL');
    }
  } catch {
    child.kill('SIGKILL');
  }
}

function play(file: string, args: readonly string[], options: PlayOptions): Promise<Played> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], {
      cwd: options.cwd,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: { ...process.env, PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1', ...options.env },
    });
    let stdout = '';
    let output = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endTree(child);
    }, options.timeoutMs ?? TIMEOUT_MS);
    const keep = (text: string, isStdout: boolean): void => {
      if (output.length > MAX_OUTPUT) endTree(child);
      output += text;
      if (isStdout) stdout += text;
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => keep(text, true));
    child.stderr.setEncoding('utf8').on('data', (text: string) => keep(text, false));
    // A program may end without reading all it was given.
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin ?? '');
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ exitCode: null, timedOut, stdout, output: `${output}${error.message}` });
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, timedOut, stdout, output });
    });
  });
}

/** The Python on PATH, asked once; what is missing comes back as the reason. */
export async function findPython(): Promise<
  { readonly program: string; readonly hasPytest: boolean } | { readonly missing: string }
> {
  for (const program of process.platform === 'win32' ? ['python', 'py'] : ['python3', 'python']) {
    const cwd = process.cwd();
    // Its own path: what stands on PATH may be a slow wrapper of a version manager.
    const answer = await play(program, ['-c', 'import sys; print(sys.executable)'], { cwd });
    const executable = answer.stdout.trim();
    if (answer.exitCode !== 0 || executable === '') continue;
    const pytest = await play(executable, ['-m', 'pytest', '--version'], { cwd });
    return { program: executable, hasPytest: pytest.exitCode === 0 };
  }
  return { missing: 'there is no Python on PATH' };
}
