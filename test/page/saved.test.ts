/** `agent export NUMBER --format html`: a run as one file, which opens without a server and holds no key. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { agentLab } from '../support/e2e-agent.ts';
import { FIXTURES_2 } from '../support/format-2.ts';
import { findChromium, launch, openPage } from '../support/page/browser.ts';

const path = findChromium();
const lab = agentLab();

test.skipIf(path === '')(
  'a saved run opens from the disk, says how it stands, and is without keys',
  async () => {
    const folder = lab.folder();
    cpSync(join(FIXTURES_2, 'finished-native', 'agent_context'), join(folder, '.agent_context'), {
      recursive: true,
    });
    cpSync(join(FIXTURES_2, 'finished-native', 'workspace'), folder, { recursive: true });
    const wish = ['export', '1', '--format', 'html'];
    const plain = await lab.agent(wish, { in: folder });
    expect(plain.exitCode).toBe(0);
    const file = join(folder, 'run.html');
    writeFileSync(file, plain.stdout);
    const browser = await launch(path);
    try {
      const { page, problems } = await openPage(browser, pathToFileURL(file).href);
      await page.getByText('Saved by Tardigrade').waitFor();
      await page.getByRole('tab', { name: 'Story' }).click();
      await page.getByText('The run began').first().waitFor();
      expect(await page.getByRole('button', { name: /Undo|Resume|Pause/ }).count()).toBe(0);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
    const secret = secretIn(plain.stdout);
    expect(secret.length).toBeGreaterThan(12);
    const clean = await lab.agent(wish, { in: folder, env: { OPENAI_API_KEY: secret } });
    expect(plain.stdout).toContain(secret);
    expect(clean.stdout).not.toContain(secret);
  },
);

/** A text of its journal that plays the key. */
function secretIn(text: string): string {
  return /"goalHash":"([0-9a-f]{16,})"/.exec(text)?.[1] ?? '';
}
