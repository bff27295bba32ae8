import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { dirname, resolve } from 'node:path';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { cpuMsOf, rssMbOf, type ServedForBench, served } from './support/served.ts';
import { median, rounded } from './support/statistics.ts';
import { TICKING, tickingModel } from './support/ticking-model.ts';

const CLIENTS = 1000;
const PIECES = 100;
const GAP_MS = 100;

/** All of them follow one run, whose model says ten pieces a second. */
async function manyClients(lab: Lab): Promise<readonly Figure[]> {
  const model = await tickingModel(PIECES, GAP_MS);
  const server = await served(lab, { model: model.url });
  try {
    const wish = { workspace: server.root, goal: 'Say the time', model: `ollama/${TICKING}` };
    const { id } = await server.client.startRun(wish);
    const { events, p99, cpuShare, connectMs, rssMb } = await followed(
      server,
      `/api/runs/${id}/events`,
    );
    const detail = `${CLIENTS} clients, ${1000 / GAP_MS} pieces a second`;
    const all = { unit: '%', bound: 100, better: 'higher' } as const;
    return [
      {
        ...{ name: 'of the events are delivered to every client', ...all, detail },
        value: rounded((events / (CLIENTS * PIECES)) * 100),
      },
      {
        ...{ name: 'from the model to the slowest hundredth of the clients', value: p99 },
        ...{ unit: 'ms', bound: 250, better: 'lower', detail },
      },
      {
        ...{ name: 'of a core for the server once all follow', value: rounded(cpuShare, 1) },
        ...{ unit: '%', bound: 20, better: 'lower', detail },
      },
      {
        ...{ name: "of the server's processor for a client to connect" },
        ...{ value: rounded(connectMs), unit: 'ms', bound: null, better: 'lower' },
        detail: `${CLIENTS} in one moment`,
      },
      {
        ...{ name: 'resident memory of the server with them', value: rounded(rssMb, 1) },
        ...{ unit: 'MB', bound: null, better: 'lower', detail },
      },
    ];
  } finally {
    await server.end();
    await model.close();
  }
}

async function followed(server: ServedForBench, path: string) {
  const { url, token } = server.client;
  const script = resolve('bench/support/many-clients.ts');
  const words = ['scripts/run.mjs', script, url + path, token, String(CLIENTS), String(PIECES)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const begunMs = cpuMsOf(server.pid);
  let said = '';
  let all: { readonly at: number; readonly cpuMs: number } | undefined;
  for await (const text of child.stdout) {
    said += text;
    if (said.includes('connected')) all ??= { at: performance.now(), cpuMs: cpuMsOf(server.pid) };
    if (said.includes('{')) break;
  }
  if (all === undefined) throw new Error('The clients did not connect.');
  const cpuShare = ((cpuMsOf(server.pid) - all.cpuMs) / (performance.now() - all.at)) * 100;
  const connectMs = (all.cpuMs - begunMs) / CLIENTS;
  const { events, p99 } = JSON.parse(said.slice(said.indexOf('{'))) as {
    events: number;
    p99: number;
  };
  return { events, p99, cpuShare, connectMs, rssMb: rssMbOf(server.pid) };
}

const TRIES = 9;
const BEHIND = 100;

/** A client that comes back to a long journal, and one that reads all of it. */
async function longJournal(lab: Lab): Promise<readonly Figure[]> {
  const { layout, records } = lab.longRun();
  const folder = dirname(layout.root);
  const server = await served(lab, { root: folder });
  try {
    await server.client.ask('POST', '/api/workspaces', { path: folder });
    const [run] = (await server.client.runs()).runs;
    const path = `/api/runs/${run?.id}/events?records=1`;
    const cold = await readFrom(server, path, `${records - BEHIND}.9`, 1);
    const back: number[] = [];
    for (let at = 0; at < TRIES; at += 1)
      back.push((await readFrom(server, path, `${records - BEHIND}.9`, 1)).ms);
    const all = await readFrom(server, path, '0.0', Math.floor(records * 0.9));
    const detail = `a journal of ${records.toLocaleString('en')} records, ${BEHIND} behind, medians of ${TRIES}`;
    return [
      {
        ...{ name: 'to the first event of a client that comes back', value: rounded(median(back)) },
        ...{ unit: 'ms', bound: 20, better: 'lower', detail },
      },
      {
        ...{ name: 'the same, of the first client of a server', value: rounded(cold.ms) },
        ...{ unit: 'ms', bound: null, better: 'lower', detail: 'once' },
      },
      {
        ...{ name: 'a thousand events for a client from the start on' },
        ...{ value: rounded((all.ms / all.events) * 1000, 1), unit: 'ms', bound: 20 },
        ...{ better: 'lower', detail: `${all.events.toLocaleString('en')} events` },
      },
    ];
  } finally {
    await server.end();
  }
}

/** Until so many events came. */
function readFrom(
  { client }: ServedForBench,
  path: string,
  after: string,
  least: number,
): Promise<{ readonly ms: number; readonly events: number }> {
  const began = performance.now();
  const headers = { Authorization: `Bearer ${client.token}`, 'Last-Event-ID': after };
  return new Promise((resolve, reject) => {
    const asked = get(client.url + path, { headers, agent: false }, (response) => {
      let events = 0;
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.on('data', (text: Buffer) => {
        events += text.toString('latin1').split('\ndata: ').length - 1;
        if (events < least) return;
        response.destroy();
        resolve({ ms: performance.now() - began, events });
      });
    });
    asked.on('error', reject);
  });
}

export const clientsOfARun: Measurement = { name: 'clients of one run', measure: manyClients };
export const servedJournal: Measurement = { name: 'long journal, served', measure: longJournal };
