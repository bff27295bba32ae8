/**
 * Records what a real server answers on the wire of OpenAI and of Anthropic, byte for byte:
 * `node scripts/run.mjs scripts/record-wire.ts GROUP BASE_URL FILE [PID | NAME…]`, BASE_URL without
 * /v1. What FILE holds already stays, unless it is recorded again. test/fixtures/recorded-wire/README.md
 * says how the server of each group is started.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, GROUPS, type Group, isGroup } from './lib/wire-questions.ts';

/** `pieces`: how many bytes came at once. `ending` is left out where the answer was whole. */
interface Recording {
  readonly request: Omit<Ask, 'body'> & { readonly body?: unknown };
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter?: string;
  readonly body: string;
  readonly pieces?: readonly number[];
  readonly ending?: 'cut';
}

const KILL_AFTER_PIECES = 4;

const [group = '', base = '', file = '', ...rest] = process.argv.slice(2);
const [pid] = rest;
if (!isGroup(group) || !URL.canParse(base) || file === '') {
  throw new Error(
    `usage: record-wire.ts ${Object.keys(GROUPS).join('|')} BASE_URL FILE [PID | NAME…]`,
  );
}
if (group.startsWith('killed') && !(Number(pid) > 1)) {
  throw new Error('Name the process of the server that is to be killed.');
}

const recordings: Record<string, Recording> = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : {};
for (const [name, ask] of Object.entries<Ask>(GROUPS[group])) {
  if (!group.startsWith('killed') && rest.length > 0 && !rest.includes(name)) continue;
  recordings[name] = await recorded(ask, group);
  const byName = Object.entries(recordings).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(byName), null, 1)}\n`);
  console.log(`${name}: ${recordings[name]?.status} ${recordings[name]?.body.slice(0, 200)}`);
}

async function recorded(ask: Ask, group: Group): Promise<Recording> {
  const incoming = await answerTo(ask, group === 'loading');
  const parts: Buffer[] = [];
  let ending: 'cut' | null = null;
  try {
    for await (const part of incoming) {
      parts.push(part);
      if (group.startsWith('killed') && parts.length === KILL_AFTER_PIECES) {
        process.kill(Number(pid), 'SIGKILL');
      }
    }
  } catch {
    ending = 'cut';
  }
  const retryAfter = incoming.headers['retry-after'];
  return {
    request: ask,
    status: incoming.statusCode ?? 0,
    contentType: incoming.headers['content-type'] ?? null,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    body: Buffer.concat(parts).toString('utf8'),
    ...(parts.length > 1 ? { pieces: parts.map(({ length }) => length) } : {}),
    ...(ending === null ? {} : { ending }),
  };
}

/** A server that loads is asked until it listens at all. */
async function answerTo(ask: Ask, isPatient: boolean): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await send(ask);
    } catch (error) {
      if (!isPatient) throw error;
      await sleep(20);
    }
  }
}

function send({ method, path, headers, body }: Ask): Promise<IncomingMessage> {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, base), {
      // llama.cpp closes a connection behind a stream that it called kept: each question has its own.
      agent: false,
      method,
      headers: {
        ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sent.on('response', resolve).on('error', reject).end(bytes);
  });
}
