/** What is said in a conversation on the page before the list of all work, read once a second, has it. */
import { expect, test } from 'vitest';
import { findChromium, goTo, openPage } from '../support/page/browser.ts';
import { Telling } from '../support/page/showcase.ts';
import { shownInBrowser } from '../support/page/shown.ts';

const path = findChromium();

test.skipIf(path === '')('a goal begins in the folder of its conversation', async () => {
  const { shown, browser } = await shownInBrowser();
  const { events } = new Telling(1).say('person_said', { text: 'Hello' });
  const summary = {
    ...{ id: 'ab12', number: 3, name: null, workspacePath: '/home/ada/shop' },
    ...{ state: 'idle' as const, lastAt: 1 },
  };
  shown.server.add({ summary, events, isUnlisted: true });
  shown.server.onPost = () => ({ id: 'aa88' });
  const { page } = await openPage(browser, shown.url);
  await goTo(page, '#/talk/ab12', 'Hello');
  await page.getByLabel('Message').fill('/goal Write a file');
  await page.getByRole('button', { name: 'Do it' }).click();
  await expect
    .poll(() => shown.server.posted.at(-1))
    .toMatchObject({
      ...{ path: '/api/runs', body: { workspace: '/home/ada/shop', goal: 'Write a file' } },
    });
  await page.context().close();
});
