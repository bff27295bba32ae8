/** Walks through the page of the built `agent serve`, on replies that are played. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentLab } from '../support/e2e-agent.ts';
import type { Reply } from '../support/fake-ollama.ts';
import { findChromium, goTo, launch, openPage } from '../support/page/browser.ts';
import { ASKS, DONE, endTalks, MODEL, modelSaying, PLAN, WRITES } from '../support/server-lab.ts';

const path = findChromium();
const lab = agentLab();
let browser: Browser | undefined;
beforeAll(async () => {
  if (path !== '') browser = await launch(path);
});
afterAll(() => browser?.close());

/** The page of a server in a folder of its own, with a model that plays. */
async function opened(
  script: (n: number) => Reply,
  walk: (at: { page: Page; folder: string }) => Promise<void>,
): Promise<void> {
  const ollama = await modelSaying(script);
  const folder = lab.folder();
  const env = { OLLAMA_HOST: ollama.url };
  const agent = lab.start(['serve', '--port', '0'], { in: folder, env });
  await expect.poll(() => agent.said(), { timeout: 60_000 }).toContain('#k=');
  try {
    const { page, problems } = await openPage(
      browser as Browser,
      /http:\S+/.exec(agent.said())?.[0] ?? '',
    );
    await walk({ page, folder }).catch(async (error: unknown) => {
      const shown = await page.locator('body').innerText();
      throw new Error(`The page at ${page.url()} shows: ${shown}`, { cause: error });
    });
    // Of what the server refuses a browser makes an error, whatever the page says of it.
    expect(problems.filter((one) => !one.includes('status of 422'))).toEqual([]);
    await page.context().close();
  } finally {
    await agent.kill();
    endTalks(folder);
    await ollama.close();
  }
}

test.skipIf(path === '')(
  'a goal is begun, asked about, done and undone, all from the page',
  async () => {
    const replies = [PLAN, ASKS, WRITES, DONE];
    await opened(
      (n) => replies[n - 1] ?? DONE,
      async ({ page, folder }) => {
        // The key of the link does not stay in the address.
        await expect.poll(() => page.url()).not.toContain('k=');
        await goTo(page, '#/new', 'What do you want done?');
        await page.getByLabel('What do you want done?').fill('Begin a repository');
        await page.getByLabel('Model').selectOption(`ollama/${MODEL}`);
        await page.getByRole('button', { name: 'Begin the run' }).click();
        await page.getByRole('article', { name: 'git init here' }).waitFor({ timeout: 30_000 });
        await page.getByRole('button', { name: 'Yes, once' }).click();
        await page.getByText('Not verified').first().waitFor({ timeout: 60_000 });
        await page.getByRole('tab', { name: 'Changes' }).click();
        await page.getByRole('tabpanel').getByText('a.txt').click();
        await page.getByText('hello').last().waitFor();
        await page.getByRole('button', { name: 'Undo all…' }).click();
        await page.getByText('a.txt (created by the run, will be removed)').waitFor();
        expect(existsSync(join(folder, 'a.txt'))).toBe(true);
        await page.getByRole('dialog').getByRole('button', { name: 'Put 1 file back' }).click();
        await expect.poll(() => existsSync(join(folder, 'a.txt')), { timeout: 20_000 }).toBe(false);
        await page.getByText('Undone').first().waitFor();
      },
    );
  },
);

test.skipIf(path === '')(
  'a goal elsewhere is refused, a conversation takes its words, a rule, a message and a goal',
  async () => {
    const replies = [ASKS, { content: 'The repository is there.' }, PLAN, WRITES];
    await opened(
      (n) => replies[n - 1] ?? DONE,
      async ({ page, folder }) => {
        await goTo(page, '#/new', 'What do you want done?');
        await page.getByLabel('What do you want done?').fill('Begin a repository');
        await page.getByLabel('Model').selectOption(`ollama/${MODEL}`);
        await page.getByLabel('In the folder').fill(dirname(folder));
        await page.getByRole('button', { name: 'Begin the run' }).click();
        await page.getByText('not below a folder that this server may work in').waitFor();
        await page.getByLabel('In the folder').fill(folder);
        await page.getByRole('button', { name: 'Talk instead' }).click();
        const message = page.getByLabel('Message');
        await message.waitFor({ timeout: 60_000 });
        expect(await message.inputValue()).toBe('Begin a repository');
        await message.fill('/approve run_cmd(git init *)');
        await page.getByRole('button', { name: 'Do it' }).click();
        await page.getByText('Allowed in this session').waitFor({ timeout: 60_000 });
        await message.fill('Begin a repository');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.getByText('The repository is there.').waitFor({ timeout: 60_000 });
        expect(existsSync(join(folder, 'here', '.git'))).toBe(true);
        await message.fill('/goal Write a file');
        await page.getByRole('button', { name: 'Do it' }).click();
        await page.getByRole('heading', { name: 'Write a file' }).waitFor({ timeout: 60_000 });
        await page.getByText('Not verified').first().waitFor({ timeout: 60_000 });
        expect(existsSync(join(folder, 'a.txt'))).toBe(true);
      },
    );
  },
);
