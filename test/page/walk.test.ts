/** One walk through the page of the built `agent serve`, on replies that are played: from a new goal to its undo. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentLab } from '../support/e2e-agent.ts';
import { findChromium, goTo, launch, openPage } from '../support/page/browser.ts';
import { ASKS, called, DONE, MODEL, modelSaying, PLAN, WRITES } from '../support/server-lab.ts';

const path = findChromium();
const lab = agentLab();

test.skipIf(path === '')(
  'a goal is begun, asked about, done and undone, all from the page',
  async () => {
    const replies = [PLAN, ASKS, WRITES, DONE];
    const ollama = await modelSaying(
      (n) => replies[n - 1] ?? called('mark_subtask_complete', { success: true }),
    );
    const folder = lab.folder();
    const env = { OLLAMA_HOST: ollama.url };
    const agent = lab.start(['serve', '--port', '0'], { in: folder, env });
    await expect.poll(() => agent.said(), { timeout: 60_000 }).toContain('#k=');
    const browser = await launch(path);
    try {
      const { page, problems } = await openPage(browser, /http:\S+/.exec(agent.said())?.[0] ?? '');
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
      await page.getByText('a.txt').last().click();
      await page.getByText('hello').last().waitFor();
      await page.getByRole('button', { name: 'Undo all…' }).click();
      await page.getByText('a.txt (created by the run, will be removed)').waitFor();
      expect(existsSync(join(folder, 'a.txt'))).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(() => existsSync(join(folder, 'a.txt')), { timeout: 20_000 }).toBe(false);
      await page.getByText('Undone').first().waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await agent.kill();
      await ollama.close();
    }
  },
);
