/** Walks through the page of the built `agent serve` on replies that are played, and what a browser meets beside it. */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../../src/server/client/client.ts';
import { agentLab, type RunningAgent } from '../../support/e2e-agent.ts';
import type { FakeOllama, Reply } from '../../support/fake-ollama.ts';
import { FIXTURES_2 } from '../../support/format-2.ts';
import { CHROMIUM, goTo, openPage, theBrowser } from '../../support/page/browser.ts';
import {
  ASKS,
  called,
  DONE,
  endTalks,
  MODEL,
  modelSaying,
  PLAN,
  WRITES,
} from '../../support/server-lab.ts';

/** What the model answers in turn, by what it is asked. */
const REPLIES: readonly (readonly [asked: string, readonly Reply[]])[] = [
  ['Begin a repository', [PLAN, ASKS, WRITES]],
  [
    'Begin one there',
    [called('run_cmd', { cmd: 'git init there' }), { content: 'The repository is there.' }],
  ],
  ['Put hello into b.txt', [PLAN, called('write_file', { path: 'b.txt', content: 'hello\n' })]],
];

/** What came back of each way, by its name; '' for nothing. */
const TRIES = (url: string, token: string, wish: string) => `(async () => {
  const body = ${JSON.stringify(wish)};
  const got = {};
  const read = async (name, request) => {
    got[name] = await request().then((answer) => answer.text(), () => '');
  };
  const auth = { authorization: 'Bearer ${token}', 'content-type': 'application/json' };
  await read('fetch', () => fetch('${url}/api/runs', { headers: auth }));
  await read('health', () => fetch('${url}/health'));
  await read('begin', () => fetch('${url}/api/runs', { method: 'POST', headers: auth, body }));
  await read('simple', () => fetch('${url}/api/runs', { method: 'POST', mode: 'no-cors', body }));
  const heard = (name, make) => new Promise((done) => {
    const one = make();
    const end = (words) => { got[name] = words; done(); };
    one.onmessage = one.onopen = one.onload = () => end('heard');
    one.onerror = () => end('');
  });
  await heard('stream', () => new EventSource('${url}/api/events'));
  await heard('socket', () => new WebSocket('${url.replace('http', 'ws')}/api/events'));
  await heard('image', () => Object.assign(new Image(), { src: '${url}/health' }));
  const script = document.createElement('script');
  await heard('script', () => document.head.appendChild(Object.assign(script, { src: '${url}/page.js' })));
  const frame = document.createElement('iframe');
  frame.src = '${url}/';
  document.body.appendChild(frame);
  await new Promise((done) => { frame.onload = done; setTimeout(done, 2000); });
  try { got.frame = frame.contentWindow.document.body.innerText; } catch { got.frame = ''; }
  return got;
})()`;

/** A text of its journal that plays the key. */
function secretIn(text: string): string {
  return /"goalHash":"([0-9a-f]{16,})"/.exec(text)?.[1] ?? '';
}

const lab = agentLab();

describe.skipIf(CHROMIUM === '')('from the page', () => {
  const folder = lab.folder();
  let ollama: FakeOllama;
  let agent: RunningAgent;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    ollama = await modelSaying((n) => {
      const asked = ollama.chats[n - 1] ?? '';
      const { messages } = JSON.parse(asked) as { messages: { role: string }[] };
      const turns = messages.filter(({ role }) => role === 'assistant').length;
      return REPLIES.find(([words]) => asked.includes(words))?.[1][turns] ?? DONE;
    });
    const env = { OLLAMA_HOST: ollama.url };
    agent = lab.start(['serve', '--port', '0'], { in: folder, env });
    browser = await theBrowser();
    await vi.waitUntil(() => agent.said().includes('#k='), { timeout: 60_000, interval: 20 });
    const link = /http:\S+/.exec(agent.said())?.[0] ?? '';
    ({ page, problems } = await openPage(browser, link));
  }, 180_000);
  afterAll(async () => {
    await agent?.kill();
    endTalks(folder);
    await ollama?.close();
  });

  /** A view at which a walk stands still is told. */
  async function walk(steps: () => Promise<void>): Promise<void> {
    await steps().catch(async (error: unknown) => {
      const shown = await page.locator('body').innerText();
      throw new Error(`The page at ${page.url()} shows: ${shown}`, { cause: error });
    });
    // Of what the server refuses a browser makes an error, whatever the page says of it.
    expect(problems.filter((one) => !one.includes('status of 422'))).toEqual([]);
  }

  test('a goal is begun, asked about, done and undone', () =>
    walk(async () => {
      // The key of the link does not stay in the address.
      await expect.poll(() => page.url()).not.toContain('k=');
      await goTo(page, '#/new', 'What do you want done?');
      await page.getByLabel('What do you want done?').fill('Begin a repository');
      await page.getByLabel('Model').selectOption(`ollama/${MODEL}`);
      await page.getByRole('button', { name: 'Begin the run' }).click();
      await page.getByRole('article', { name: 'git init here' }).waitFor({ timeout: 30_000 });
      await page.getByRole('button', { name: 'Yes, once' }).click();
      await page.getByRole('main').getByText('Not verified').first().waitFor({ timeout: 60_000 });
      await page.getByRole('tab', { name: 'Changes' }).click();
      await page.getByRole('tabpanel').getByText('a.txt').click();
      await page.getByText('hello').last().waitFor();
      await page.getByRole('button', { name: 'Undo all…' }).click();
      await page.getByText('a.txt (created by the run, will be removed)').waitFor();
      expect(existsSync(join(folder, 'a.txt'))).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Put 1 file back' }).click();
      await expect.poll(() => existsSync(join(folder, 'a.txt')), { timeout: 20_000 }).toBe(false);
      await page.getByText('Undone').first().waitFor();
    }));

  test('a goal elsewhere is refused, a conversation takes its words, a rule, a message and a goal', () =>
    walk(async () => {
      await goTo(page, '#/new', 'What do you want done?');
      await page.getByLabel('What do you want done?').fill('Begin one there');
      await page.getByLabel('Model').selectOption(`ollama/${MODEL}`);
      await page.getByLabel('In the folder').fill(dirname(folder));
      await page.getByRole('button', { name: 'Begin the run' }).click();
      await page.getByText('not below a folder that this server may work in').waitFor();
      await page.getByLabel('In the folder').fill(folder);
      await page.getByRole('button', { name: 'Talk instead' }).click();
      const message = page.getByLabel('Message');
      await message.waitFor({ timeout: 60_000 });
      expect(await message.inputValue()).toBe('Begin one there');
      await message.fill('/approve run_cmd(git init *)');
      await page.getByRole('button', { name: 'Do it' }).click();
      await page.getByText('Allowed in this session').waitFor({ timeout: 60_000 });
      await message.fill('Begin one there');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('The repository is there.').waitFor({ timeout: 60_000 });
      expect(existsSync(join(folder, 'there', '.git'))).toBe(true);
      await message.fill('/goal Put hello into b.txt');
      await page.getByRole('button', { name: 'Do it' }).click();
      await page
        .getByRole('heading', { name: 'Put hello into b.txt' })
        .waitFor({ timeout: 60_000 });
      await page.getByRole('main').getByText('Not verified').first().waitFor({ timeout: 60_000 });
      expect(existsSync(join(folder, 'b.txt'))).toBe(true);
    }));

  // Such as a dev server that a run has started.
  test('a page of another port of the same host receives nothing of ours, and begins nothing', async () => {
    const { origin, port: ours } = new URL(page.url());
    const { stdout } = await lab.here(['serve', '--link', '--port', ours], { in: folder });
    const client = await connect({ url: stdout.trim() });
    const before = [(await client.runs()).runs.length, ollama.chats.length];
    const other = createServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><body>dev</body>');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { page: theirs } = await openPage(browser, `http://127.0.0.1:${port}/`);
    const wish = JSON.stringify({ workspace: folder, goal: 'x', model: `ollama/${MODEL}` });
    const got = await theirs.evaluate(TRIES(origin, client.token, wish));
    await theirs.context().close();
    const names = ['fetch', 'health', 'begin', 'simple', 'stream', 'socket', 'image', 'script'];
    expect(got).toEqual(Object.fromEntries([...names, 'frame'].map((name) => [name, ''])));
    expect([(await client.runs()).runs.length, ollama.chats.length]).toEqual(before);
  });

  test('a saved run opens from the disk, says how it stands, and is without keys', async () => {
    const folder = lab.folder();
    const fixture = join(FIXTURES_2, 'finished-native');
    cpSync(join(fixture, 'agent_context'), join(folder, '.agent_context'), { recursive: true });
    cpSync(join(fixture, 'workspace'), folder, { recursive: true });
    const wish = ['export', '1', '--format', 'html'];
    const plain = await lab.agent(wish, { in: folder });
    expect(plain.exitCode).toBe(0);
    const file = join(folder, 'run.html');
    writeFileSync(file, plain.stdout);
    const { page, problems } = await openPage(browser, pathToFileURL(file).href);
    await page.getByText('Saved by Tardigrade').waitFor();
    await page.getByRole('tab', { name: 'Story' }).click();
    await page.getByText('The run began').first().waitFor();
    expect(await page.getByRole('button', { name: /Undo|Resume|Pause/ }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
    const secret = secretIn(plain.stdout);
    expect(secret.length).toBeGreaterThan(12);
    const clean = await lab.agent(wish, { in: folder, env: { OPENAI_API_KEY: secret } });
    expect(plain.stdout).toContain(secret);
    expect(clean.stdout).not.toContain(secret);
  });
});
