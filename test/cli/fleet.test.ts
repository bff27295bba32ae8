/** The commands of a fleet where there is none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { parseArguments } from '../../src/cli/command-line/arguments.ts';
import { checkInvocation } from '../../src/cli/command-line/invocation.ts';
import { isHandedOn } from '../../src/cli/fleet/person.ts';
import { sliceWords } from '../../src/cli/fleet/slice-process.ts';
import { main } from '../../src/cli/main.ts';
import { OPTIONS, rowsIn } from '../../src/options/table.ts';
import { readStreamEvent } from '../../src/schema/events/stream.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

function homeFolder(): string {
  const home = mkdtempSync(join(tmpdir(), 'tardigrade-no-fleet-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const said = (...words: string[]) => saidIn(homeFolder(), ...words);

async function saidIn(home: string, ...words: string[]) {
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
  const home = homeFolder();
  const meant = async (...said: ['auto'] | []) => {
    const [, , ...words] = sliceWords({ words: ['--sandbox', 'off'], workspace: home }, ...said);
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

/** @param answers JSON by the last part of the path, given the goal that was submitted last */
async function engine(answers: (wish: string) => { readonly [path: string]: string }) {
  const paths: string[] = [];
  let wish = 'null';
  const server = createServer(async (request, response) => {
    const path = request.url?.split('/').at(-1) ?? '';
    const body = await text(request);
    paths.push(path);
    if (path === 'send') wish = JSON.stringify(JSON.parse(body).wish);
    response.end(answers(wish)[path] ?? '{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, paths };
}

it.each([
  ['says when to come again where the workers have enough of its tenant', '12000', 7, 1],
  ['goes to workers that have room', '0', 0, 2],
])('a goal %s', async (_, room, exitCode, asked) => {
  const { address, paths } = await engine(() => ({ room }));
  const { code, err } = await said('submit', 'do it', '--fleet', address);
  expect([code, paths]).toEqual([exitCode, ['room', 'send'].slice(0, asked)]);
  if (exitCode !== 0) expect(err).toContain('Try again in 12 s.');
});

it('a goal for a fleet that does not answer is not lost in silence', async () => {
  const { code, err } = await said('submit', 'do it', '--fleet', 'http://127.0.0.1:9');
  expect(code).toBe(7);
  expect(err).toContain('No fleet engine answers at http://127.0.0.1:9.');
});

it('a goal that nobody has submitted is not said to be stopped', async () => {
  const { address, paths } = await engine(() => ({ where: 'null' }));
  const { code, out, err } = await said('submit', 'do it', '--cancel', '--fleet', address);
  expect([code, out, paths]).toEqual([2, '', ['where']]);
  expect(err).toContain('That fleet has no run of that goal in this folder.');
});

it.each([
  ['over', { is: 'ended', seq: 9, ending: 'achieved', exitCode: 0 }, /is over already: achieved/],
  ['under way', { is: 'going_on', seq: 9 }, /^Stopped: run/],
])('a run that is %s is stopped if anything is left of it', async (_, slice, says) => {
  const { address, paths } = await engine((wish) => ({
    room: '0',
    where: `{"request":${wish},"slice":${JSON.stringify(slice)},"isStopped":false}`,
  }));
  const home = homeFolder();
  await saidIn(home, 'submit', 'do it', '--fleet', address);
  const { code, out } = await saidIn(home, 'submit', 'do it', '--cancel', '--fleet', address);
  expect([code, paths.includes('cancel')]).toEqual([0, slice.is === 'going_on']);
  expect(out).toMatch(says);
});

it.each([
  ['at a limit', { is: 'pausing', seq: 9, why: 'limit_tokens', detail: 'used up' }, 4, 'paused'],
  ['without its key', { is: 'pausing', seq: 9, why: 'auth', detail: 'refused' }, 7, 'paused'],
  ['outside', { is: 'pausing', seq: 0, why: 'E_FOREIGN', detail: 'not below' }, 8, 'error'],
  ['for a person', { is: 'waiting', seq: 9, questions: [] }, 6, 'paused'],
  ['at its end', { is: 'ended', seq: 9, ending: 'unverified', exitCode: 9 }, 9, 'unverified'],
])(
  'a followed run that stands %s ends with the exit code of a run, and in --json with its result',
  async (_, slice, exitCode, ending) => {
    const { address } = await engine((wish) => ({
      room: '0',
      where: `{"request":${wish},"slice":${JSON.stringify(slice)},"isStopped":false}`,
    }));
    const home = homeFolder();
    const submitted = await saidIn(home, 'submit', 'do it', '--json', '--fleet', address);
    const { run } = JSON.parse(submitted.out);
    const { code, err } = await saidIn(home, 'attach', run, '--fleet', address);
    expect(code).toBe(exitCode);
    expect(err).toMatch(/^It /);
    const { out } = await saidIn(home, 'attach', run, '--json', '--fleet', address);
    const last = readStreamEvent(JSON.parse(out.trim().split('\n').at(-1) ?? ''));
    expect(last).toMatchObject({ type: 'result', exitCode, ending });
  },
);

/** A new option of runs is in one of the two lists: nobody should find that a worker left it out. */
it('a submitted run takes along what concerns the run, and nothing of its folder and of the terminal', () => {
  const named = rowsIn(OPTIONS).filter(([, row]) => row.on !== 'all' && row.on?.includes('run'));
  const names = (taken: boolean) =>
    named.flatMap(([name, row]) => (isHandedOn(row) === taken ? name : [])).join(' ');
  expect(names(true)).toBe(
    [
      'model models.plan host baseUrl fallbacks maxRounds parallel maxTokens maxCost maxTimeMs instructions config',
      'contextWindow temperature effort maxToolResultChars seed toolMode allow deny web refreshTools',
      'deadlines.connectMs deadlines.firstEventMs deadlines.idleMs deadlines.totalMs keep plainTry agreePlan withTests',
      'proof agree forceUnlock yes trustPrograms shell',
    ].join(' '),
  );
  expect(names(false)).toBe(
    'record sandbox again template set json verbose notify traceLlm traceMcp log accounting quiet',
  );
});
