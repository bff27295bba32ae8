/**
 * Tests whether a sandbox works: a program inside tries everything forbidden, under ideal conditions. What
 * counts is what happened outside, and that the program reports having tried.
 */
import fs from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Processes, ProcessOutcome } from '../contract.ts';
import type { Sandbox, SandboxBoundaries } from './contract.ts';

/** The parts that are the same for every sandbox of one machine. */
export type MachineBoundaries = Pick<SandboxBoundaries, 'home' | 'readable'>;

/**
 * Arguments: a file to read, a file to create, the port of a server. It prints what it could do. A reported
 * write proves nothing, because it may have gone to temporary files of its own. `work` is the only permitted
 * effect.
 */
const TRIES = `
const fs = require('node:fs'), net = require('node:net');
const [canary, outside, port] = process.argv.slice(1);
const could = [];
const attempt = (name, act) => { try { act(); if (name) could.push(name); } catch {} };
const read = (file) => { if (fs.readFileSync(file).length === 0) throw new Error('nothing'); };
attempt('work', () => { fs.writeFileSync('own', fs.readFileSync('given')); read('own'); });
attempt('read', () => read(canary));
attempt('', () => fs.appendFileSync(canary, 'x'));
attempt('', () => fs.writeFileSync(outside, 'x', { flag: 'wx' }));
attempt('state', () => fs.writeFileSync('state/made', 'x', { flag: 'wx' }));
attempt('keys', () => read('in/keys'));
attempt('link', () => { fs.linkSync(canary, 'link'); read('link'); });
attempt('link', () => { fs.linkSync('in/keys', 'other'); read('other'); });
attempt('move', () => { fs.renameSync('in/keys', 'moved'); read('moved'); });
attempt('move', () => { fs.renameSync('in', 'out'); read('out/keys'); });
const end = () => { console.log('tried:' + [...new Set(could)].join(',') + ';'); process.exit(0); };
net.connect(Number(port), '127.0.0.1').on('connect', () => { could.push('connect'); end(); }).on('error', end);
`;

const CANARY = 'nobody may read this';
const PROBE_MS = 10_000;

export interface ProbePorts {
  readonly run: Processes['run'];
  /** Absolute path of the Node that runs this process. */
  readonly nodePath: string;
  /** The word before the source of a script; left out: Node's own. */
  readonly evaluate?: string;
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

/** Empty if the sandbox works, otherwise why not, in words for a person. None of the user's files are used. */
export async function whyOpen(
  sandbox: Sandbox,
  machine: MachineBoundaries,
  ports: ProbePorts,
): Promise<string> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(tmpdir()), 'agent-sandbox-'));
  const canary = path.join(folder, 'canary');
  const boundaries = boundariesFor(folder, machine);
  const made = [path.join(folder, 'made'), path.join(folder, 'work', 'state', 'made')];
  let callers = 0;
  const server = net.createServer((socket) => {
    callers += 1;
    socket.destroy();
  });
  try {
    fs.writeFileSync(canary, CANARY);
    const port = await listening(server);
    const words = [ports.evaluate ?? '-e', TRIES, canary, made[0] ?? '', String(port)];
    const outcome = await ran(sandbox, boundaries, words, ports);
    const left = made.filter((file) => fs.existsSync(file));
    const isTouched = left.length > 0 || fs.readFileSync(canary, 'utf8') !== CANARY;
    if (isTouched) return 'a program behind it could write outside';
    if (callers > 0) return 'a program behind it could reach the network';
    return whyNotTried(outcome);
  } finally {
    server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A working folder that contains a hidden folder and a hidden file. */
function boundariesFor(folder: string, machine: MachineBoundaries): SandboxBoundaries {
  const [work, cache] = [path.join(folder, 'work'), path.join(folder, 'cache')];
  const [state, keys] = [path.join(work, 'state'), path.join(work, 'in', 'keys')];
  for (const made of [work, cache, state, path.dirname(keys)]) fs.mkdirSync(made);
  for (const made of [keys, path.join(work, 'given')]) fs.writeFileSync(made, CANARY);
  const hidden = [
    { path: state, isFolder: true },
    { path: keys, isFolder: false },
  ];
  return { ...machine, folder: work, guarded: [], hidden, names: [], cache };
}

const listening = (server: net.Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

const ran = (
  sandbox: Sandbox,
  boundaries: SandboxBoundaries,
  args: readonly string[],
  ports: ProbePorts,
) => {
  const { run, nodePath: file, env, signal } = ports;
  const command = { file, args, cwd: boundaries.folder, env };
  const bounds = { timeoutMs: PROBE_MS, maxOutputBytes: 4096 };
  return run(
    { ...sandbox.commandFor(command, boundaries), ...bounds },
    { signal, onOutput: () => {} },
  );
};

function whyNotTried({ kind, output, error }: ProcessOutcome): string {
  const could = /^tried:(.*);$/m.exec(output)?.[1]?.split(',');
  if (could !== undefined) {
    const more = could.filter((name) => name !== '' && name !== 'work');
    if (more.length > 0) return `a program behind it could do more than it may: ${more.join(',')}`;
    return could.includes('work') ? '' : 'a program behind it cannot work in its folder';
  }
  if (kind === 'timeout') return 'it did not start in time';
  const said = (error ?? output).trim().split('\n')[0] ?? '';
  return said === '' ? 'it does not start' : said;
}
