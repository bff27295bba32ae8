/** A person's side of a fleet on Restate: the server's ingress, over HTTP. */
import { TardigradeError } from '../../lib/errors.ts';
import type { DurableEngine, FleetStanding } from '../contract.ts';
import { notThere } from '../not-there.ts';
import { SERVICE } from './service.ts';

const ANSWER_MS = 30_000;

/** @param address of its ingress: `http://127.0.0.1:8080` */
export function restateEngine(address: string): DurableEngine {
  const call = async (run: string, path: string, body?: object): Promise<unknown> => {
    const url = new URL(`${SERVICE}/${encodeURIComponent(run)}/${path}`, withSlash(address));
    const response = await fetch(url, {
      method: 'POST',
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error: unknown) => {
      throw notThere(address, error);
    });
    const text = await response.text();
    if (!response.ok) throw refused(address, response.status, text);
    return text === '' ? null : JSON.parse(text);
  };
  return {
    submit: async (request) =>
      void (await call(request.run, 'work/send', { cause: 'submit', wish: request })),
    room: async ({ run, tenant }) =>
      // Workers of an older version do not report this.
      Number(await call(run, 'room', { tenant }).catch(() => 0)),
    standing: async (run) => (await call(run, 'where')) as FleetStanding | null,
    answer: async (run, answer) => (await call(run, 'answer', answer)) as string | null,
    resume: async (run) => void (await call(run, 'resume')),
    cancel: async (run) => void (await call(run, 'cancel')),
  };
}

const withSlash = (address: string): string => (address.endsWith('/') ? address : `${address}/`);

const MAX_SHOWN = 300;

function refused(address: string, status: number, text: string): TardigradeError {
  if (status === 404)
    return new TardigradeError(
      'E_PROVIDER',
      `The engine at ${address} knows no worker yet.`,
      'Start a worker, and register it with the engine; docs/fleet.md says how.',
    );
  return new TardigradeError(
    'E_PROVIDER',
    `The engine at ${address} refused the request (HTTP ${status}): ${text.slice(0, MAX_SHOWN)}`,
    'See what its own log says.',
  );
}
