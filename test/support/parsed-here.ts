/**
 * What `node --check` is asked of a text, asked of the same parser in a thread of this process: to start Node for
 * each text that a run writes takes longer than the rest of the run. A text that does not parse goes to Node itself,
 * which says where.
 */
import { Worker } from 'node:worker_threads';
import type { Processes, ProcessRequest } from '../../src/processes/contract.ts';

const PARSER = `
const { parentPort } = require('node:worker_threads');
const { compileFunction, SourceTextModule } = require('node:vm');
const GIVEN = ['exports', 'require', 'module', '__filename', '__dirname'];
parentPort.on('message', ([id, type, text]) => {
  let parses = true;
  try {
    if (type === 'module') new SourceTextModule(text);
    else compileFunction(text, GIVEN);
  } catch {
    parses = false;
  }
  parentPort.postMessage([id, parses]);
});`;

const asking = new Map<number, (parses: boolean) => void>();
let parser: Worker | null = null;
let asked = 0;

function parses(type: string, text: string): Promise<boolean> {
  if (parser === null) {
    // Only modules need the flag, and its warning.
    const execArgv = ['--experimental-vm-modules', '--no-warnings'];
    parser = new Worker(PARSER, { eval: true, execArgv });
    parser.on('message', ([id, does]: [number, boolean]) => {
      asking.get(id)?.(does);
      asking.delete(id);
    });
    parser.unref();
  }
  asked += 1;
  parser.postMessage([asked, type, text]);
  return new Promise((resolve) => asking.set(asked, resolve));
}

/** `null`: it is another command. */
function typeAsked({ args: [first, type = '', last, ...more] }: ProcessRequest): string | null {
  const isCheck = first === '--check' && last === '-' && more.length === 0;
  return isCheck ? (/^--input-type=(module|commonjs)$/.exec(type)?.[1] ?? null) : null;
}

export const parsedHere =
  (run: Processes['run']): Processes['run'] =>
  async (request, hooks) => {
    const type = typeAsked(request);
    if (type === null || hooks.signal.aborted || !(await parses(type, request.stdin ?? '')))
      return run(request, hooks);
    const nothing = { signal: null, output: '', truncatedBytes: 0 };
    return { kind: 'exited', exitCode: 0, durationMs: 1, ...nothing };
  };
