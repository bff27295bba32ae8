/** Starts the service that a goal asked for, uses it, starts it again, and says what is wrong. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faults, filesBelow, node, parsed, type StrongOracle, textAt } from './strong-folder.ts';

export const todo: StrongOracle = async (folder) => {
  const [program = '', ...args] = (
    (parsed(textAt(folder, 'package.json')) as { scripts?: { start?: string } } | undefined)
      ?.scripts?.start ?? ''
  ).split(' ');
  if (program !== 'node') return [`npm start does not start it: ${program} ${args.join(' ')}`];
  const data = mkdtempSync(join(tmpdir(), 'tardigrade-todo-'));
  try {
    const wrong = await serving(folder, args, data, firstLife);
    const afterRestart = await serving(folder, args, data, secondLife);
    return [
      ...wrong,
      ...afterRestart,
      ...faults({
        'the tests pass': node(folder, '--test').code === 0,
        'there is a test': filesBelow(folder, '').some(
          (path) => /test/.test(path) && /\.m?js$/.test(path),
        ),
        'it has several modules':
          filesBelow(folder, '').filter((path) => /\.m?js$/.test(path)).length > 3,
        'it has a README': textAt(folder, 'README.md').includes('todos'),
      }),
    ];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
};

interface Todo {
  readonly id?: unknown;
  readonly title?: unknown;
  readonly done?: unknown;
  readonly error?: unknown;
}

interface Answered {
  readonly status: number;
  readonly body: Todo | undefined;
  /** The body where it is a list, else `null`. */
  readonly list: readonly Todo[] | null;
}

type Asked = (method: string, path: string, body?: unknown) => Promise<Answered>;

async function serving(
  folder: string,
  args: readonly string[],
  data: string,
  use: (ask: Asked) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PORT: `${port}`, DATA_FILE: join(data, 'todos.json') },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const ask: Asked = async (method, path, body) => {
    const given =
      body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...given });
    const said = parsed(await response.text());
    return {
      status: response.status,
      body: said as Todo | undefined,
      list: Array.isArray(said) ? said : null,
    };
  };
  try {
    return (await isUp(ask)) ? await use(ask) : ['it does not listen'];
  } finally {
    child.kill();
    await ended;
  }
}

async function isUp(ask: Asked): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isThere = await ask('GET', '/todos').then(
      () => true,
      () => false,
    );
    if (isThere) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const firstLife = async (ask: Asked): Promise<readonly string[]> => {
  const empty = await ask('GET', '/todos');
  const made = await ask('POST', '/todos', { title: 'milk' });
  const second = await ask('POST', '/todos', { title: 'bread' });
  const id = made.body?.id;
  const done = await ask('PATCH', `/todos/${id}`, { done: true });
  const gone = await ask('DELETE', `/todos/${second.body?.id}`);
  const refused = [
    await ask('POST', '/todos', {}),
    await ask('POST', '/todos', '{not json'),
    await ask('PATCH', `/todos/${id}`, { done: 'yes' }),
  ];
  const missing = [
    await ask('PATCH', '/todos/9999999', { done: true }),
    await ask('DELETE', '/todos/9999999'),
    await ask('GET', '/nothing'),
  ];
  return faults({
    'it begins with no todos': empty.status === 200 && empty.list?.length === 0,
    'POST makes one': made.status < 300 && made.body?.title === 'milk' && made.body?.done === false,
    'PATCH changes it':
      done.status === 200 && done.body?.done === true && done.body?.title === 'milk',
    'DELETE takes one away': gone.status < 300,
    'bad input is 400': refused.every(({ status, body }) => status === 400 && Boolean(body?.error)),
    'what is not there is 404': missing.every(
      ({ status, body }) => status === 404 && Boolean(body?.error),
    ),
  });
};

const secondLife = async (ask: Asked): Promise<readonly string[]> => {
  const { list } = await ask('GET', '/todos');
  const [only, ...more] = list ?? [];
  return faults({
    'todos survive a restart': more.length === 0 && only?.title === 'milk' && only.done === true,
  });
};
