import { expect, test } from 'vitest';
import { connect } from '../../../src/server/client/client.ts';

/** A client whose requests are kept, and answered with the id of a run. */
async function watched() {
  const asked: string[] = [];
  const answer = async (url: unknown, { method, headers }: RequestInit = {}) => {
    const once = new Headers(headers).get('Idempotency-Key') ?? '';
    asked.push(`${method} ${String(url).replace('http://here', '')} ${once}`.trim());
    return Response.json({ id: 'r', runs: [], next: null });
  };
  const client = await connect({ url: 'http://here', token: 'T', fetch: answer as typeof fetch });
  return { client, asked };
}

test('a list is asked for page by page, of one folder too', async () => {
  const { client, asked } = await watched();
  await client.runs();
  await client.runs({ workspace: 'f', limit: 5, after: '1.a' });
  expect(asked).toEqual(['GET /api/runs', 'GET /api/runs?workspace=f&limit=5&after=1.a']);
});

test('whatever the server carries out once can be named', async () => {
  const { client, asked } = await watched();
  await client.startRun({ workspace: '/w', goal: 'x' }, 'one');
  await client.createSession({ workspacePath: '/w' }, 'two');
  await client.run('r').resume({}, 'three');
  expect(asked).toEqual([
    'POST /api/runs one',
    'POST /api/sessions two',
    'POST /api/runs/r/resume three',
  ]);
});
