/** All that needs a browser, in one file: each worker would load Playwright, build the page and start a browser anew. */
import { afterAll } from 'vitest';
import { CHROMIUM, NO_CHROMIUM, theBrowser } from '../support/page/browser.ts';
import './in-a-browser/changes.ts';
import './in-a-browser/views.ts';
import './in-a-browser/walk.ts';

if (CHROMIUM === '') process.stdout.write(`${NO_CHROMIUM}\n`);
else afterAll(async () => (await theBrowser()).close());
