/** Starts one child process from its request, to begin at once or on a signal. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { thrownText } from '../lib/callback.ts';
import { storageError } from '../lib/files/durable-files.ts';
import { exhaustionOf } from '../lib/system-error.ts';
import type { ProcessRequest } from './contract.ts';
import { notFound } from './not-started.ts';
import { GATE_DESCRIPTOR, type Starter } from './starter.ts';

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Lets the program begin, if a starter holds it back. */
  begin(): void;
}

/** Synchronous on success: no tick lies between the spawn and recording the identity. */
export function startProcess(
  request: ProcessRequest,
  platform: NodeJS.Platform,
  starter: Starter | null,
): Started | { readonly error: string | Promise<string> } {
  try {
    for (const file of [request.program ?? request.file, request.file]) {
      const refusal = starter?.refusal(file, request.cwd) ?? '';
      if (refusal !== '') return { error: explain(refused(refusal, file), { ...request, file }) };
    }
    const { file, args } = starter?.commandFor(request.file, request.args) ?? request;
    const stdio: StdioOptions = starter ? ['pipe', 'pipe', 'pipe', 'pipe'] : 'pipe';
    const child = spawn(file, [...args], {
      cwd: request.cwd,
      env: { ...request.env },
      stdio,
      shell: false,
      windowsHide: true,
      // A group of its own on POSIX; on win32 this would open a console window.
      detached: platform !== 'win32',
    });
    const failed = new Promise<Error>((resolve) => child.on('error', resolve));
    if (child.pid !== undefined) return { child, pid: child.pid, begin: () => begin(child) };
    return { error: failed.then((error) => explain(error, request)) };
  } catch (error) {
    return { error: explain(error, request) };
  }
}

function begin(child: ChildProcess): void {
  const gate = child.stdio[GATE_DESCRIPTOR];
  if (!gate || !('end' in gate)) return;
  // EPIPE: someone ended the child before it began.
  gate.on('error', () => {});
  gate.end('\n');
}

const refused = (code: string, file: string): Error =>
  Object.assign(new Error(`spawn ${file} ${code}`), { code });

function explain(error: unknown, request: ProcessRequest): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  // The machine is short of resources, so any other command would fail as well.
  if (exhaustionOf(code) !== null) throw storageError(error, `starting ${request.file}`);
  const missing = notFound(error, request);
  if (missing !== null) return missing;
  switch (code) {
    case 'EACCES':
      return `${request.file} may not be run (EACCES)`;
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return `the command line is too long (${code}); put long text into a file or into stdin`;
    default:
      return thrownText(error);
  }
}
