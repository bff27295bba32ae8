/** The commands of a fleet where there is none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseArguments } from '../../src/cli/command-line/arguments.ts';
import { checkInvocation } from '../../src/cli/command-line/invocation.ts';
import { wordsOf } from '../../src/cli/fleet/slice-process.ts';
import { main } from '../../src/cli/main.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

async function said(...words: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'tardigrade-no-fleet-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const terminal = fakeTerminal({ cwd: home, env: { HOME: home, XDG_DATA_HOME: home, PATH: '' } });
  const at = { ...terminal, programFolder: home };
  const code = await main(words, at, () => Promise.resolve(fakeEngine({})));
  return { code, out: terminal.stdout.text(), err: terminal.stderr.text() };
}

it('a worker without the SDK says in one line what to install', async () => {
  const { code, err } = await said('worker');
  expect(code).toBe(2);
  expect(err).toContain('agent setup fleet');
});

it('commands of a run are confined as its worker says, and it says so where nobody has said anything', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tardigrade-no-fleet-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const meant = async (...said: ['auto'] | []) => {
    const [, , ...words] = wordsOf({ words: ['--sandbox', 'off'], workspace: home }, ...said);
    const parsed = await parseArguments(['a goal', ...words]);
    return parsed.kind === 'command' ? checkInvocation(parsed, home).sandbox : null;
  };
  expect(await meant()).toBe('require');
  expect(await meant('auto')).toBe('auto');
});

it('the demo of a fleet is skipped with the reason where the server is not here', async () => {
  const { code, out } = await said('demo', '--fleet');
  expect(code).toBe(0);
  expect(out).toMatch(/skipped: the server of Restate is not here/);
});

it.each([
  ['says when to come again where the workers have enough of its tenant', '12000', 7, 1],
  ['goes to workers that have room', '0', 0, 2],
])('a goal %s', async (_, room, exitCode, asked) => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url?.split('/').at(-1) ?? '');
    response.end(request.url?.endsWith('/room') === true ? room : '{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, err } = await said('submit', 'do it', '--fleet', `http://127.0.0.1:${port}`);
  expect([code, paths]).toEqual([exitCode, ['room', 'send'].slice(0, asked)]);
  if (exitCode !== 0) expect(err).toContain('Try again in 12 s.');
});

it('a goal for a fleet that does not answer is not lost in silence', async () => {
  const { code, err } = await said('submit', 'do it', '--fleet', 'http://127.0.0.1:9');
  expect(code).toBe(7);
  expect(err).toContain('No fleet engine answers at http://127.0.0.1:9.');
});
