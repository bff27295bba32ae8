/** Walks through the page of the built `agent serve`, on replies that are played. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { agentLab, type RunningAgent } from '../support/e2e-agent.ts';
import type { FakeOllama, Reply } from '../support/fake-ollama.ts';
import { findChromium, goTo, launch, openPage } from '../support/page/browser.ts';
import {
  ASKS,
  called,
  DONE,
  endTalks,
  MODEL,
  modelSaying,
  PLAN,
  WRITES,
} from '../support/server-lab.ts';

/** What the model answers in turn, by what it is asked. */
const REPLIES: readonly (readonly [asked: string, readonly Reply[]])[] = [
  ['Begin a repository', [PLAN, ASKS, WRITES]],
  [
    'Begin one there',
    [called('run_cmd', { cmd: 'git init there' }), { content: 'The repository is there.' }],
  ],
  ['Put hello into b.txt', [PLAN, called('write_file', { path: 'b.txt', content: 'hello\n' })]],
];

const path = findChromium();
const lab = agentLab();

describe.skipIf(path === '')('from the page', () => {
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
    browser = await launch(path);
    await vi.waitUntil(() => agent.said().includes('#k='), { timeout: 60_000, interval: 20 });
    const link = /http:\S+/.exec(agent.said())?.[0] ?? '';
    ({ page, problems } = await openPage(browser, link));
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
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
});
