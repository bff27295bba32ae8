/** What a page offers by its link: everything, only to look, or nothing at all. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium, goTo, launch, openPage } from '../support/page/browser.ts';
import { pageFolder } from '../support/page/built-page.ts';
import { RUN_ID } from '../support/page/showcase.ts';
import { showing } from '../support/page/shown.ts';

const path = findChromium();

test.skipIf(path === '')(
  'a link that may only look says so once and offers nothing to press, and its title stays in sight',
  async () => {
    const folder = await pageFolder();
    const browser = await launch(path);
    const { server, url } = await showing(folder);
    try {
      server.rights = ['observe'];
      const { page } = await openPage(browser, url, { width: 360, theme: 'light' });
      await goTo(page, `#/run/${RUN_ID}`, 'src/price/rules.ts');
      await page.getByText('With this link you can look, but change and answer nothing.').waitFor();
      const pressed = page.getByRole('button', { name: /^(Yes|No|Pause|Send|Undo)/ });
      expect(await pressed.count()).toBe(0);
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      const title = await page.getByRole('heading', { level: 1 }).boundingBox();
      expect(title?.y).toBeGreaterThanOrEqual(0);
      await goTo(page, '#/new', 'This link cannot begin a run.');
      expect(await page.getByRole('textbox').count()).toBe(0);
      server.rights = ['observe', 'work'];
      const { page: works } = await openPage(browser, url, { width: 360, theme: 'light' });
      await goTo(works, '#/new', 'Begin the run');
      expect(await works.getByText('A command that shows that it is done').count()).toBe(0);
      expect(await works.locator('option[value=off]').count()).toBe(0);
      const { page: bare } = await openPage(browser, url.replace(/#.*/, ''));
      await bare.getByText('This page was opened without a link.').waitFor();
    } finally {
      await browser.close();
      await server.close();
      rmSync(dirname(folder), { recursive: true });
    }
  },
);
