/** A Chromium that is on this machine, with the page in it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Its path; '' where there is none. */
export function findChromium(): string {
  const named = process.env.TARDIGRADE_TEST_CHROMIUM;
  if (named !== undefined) return named;
  for (const name of NAMES) {
    try {
      return execFileSync(process.platform === 'win32' ? 'where' : 'which', [name], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      // It has another name, or none.
    }
  }
  return '';
}

export const CHROMIUM = findChromium();
export const NO_CHROMIUM =
  'no Chromium here: install one, or name it in TARDIGRADE_TEST_CHROMIUM, for the tests of the page in a browser';

/**
 * Playwright keeps beside each promise which of its functions was called, for its reports. From then on Node
 * follows every promise of the process: all later test files of the worker took a sixth longer. Nobody asks here.
 */
export function launch(path: string): Promise<Browser> {
  const { prototype } = AsyncLocalStorage;
  const { run } = prototype;
  const onlyCall = (_kept: unknown, work: (...given: never[]) => unknown, ...given: never[]) =>
    work(...given);
  prototype.run = function (
    this: AsyncLocalStorage<unknown>,
    ...given: Parameters<typeof onlyCall>
  ) {
    this.run = onlyCall as typeof run;
    return onlyCall(...given);
  } as typeof run;
  try {
    // As root, as in a container, it has no sandbox of its own; it opens nothing but our page.
    return chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
  } finally {
    prototype.run = run;
  }
}

let launched: Promise<Browser> | null = null;

/** The one that all tests of a file share; what they open in it is their own. */
export function theBrowser(): Promise<Browser> {
  launched ??= launch(CHROMIUM);
  return launched;
}

export interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

export async function openPage(
  browser: Browser,
  url: string,
  { width, theme }: Look = { width: 1024, theme: 'light' },
): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
  const height = width > 3000 ? 2160 : 800;
  const context = await browser.newContext({
    ...{ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => void problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(url);
  return { page, problems };
}

/** To a view, and all that it shows is there. */
export async function goTo(page: Page, hash: string, sign: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.getByRole('main').getByText(sign).first().waitFor();
}

/** Lets so many milliseconds pass at once, by the clock that the page looks at. */
export const passing = (page: Page, ms: number): Promise<void> =>
  page.evaluate(`{ const now = Date.now; Date.now = () => now() + ${ms}; }`);

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The rules of access that look at colours: all others say the same in the dark. */
export const BY_COLOUR: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** What is against the rules of access, contrast included: each rule with the first thing that breaks it. */
export async function againstAccess(
  page: Page,
  rules: readonly string[] | null = null,
): Promise<readonly string[]> {
  // It stays where only the view changes.
  if (await page.evaluate('window.axe === undefined'))
    await page.evaluate(`${readFileSync(axe, 'utf8')}; undefined`);
  const only = rules === null ? {} : { runOnly: { type: 'rule', values: rules } };
  const options = JSON.stringify({ resultTypes: ['violations'], ...only });
  return page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 160)))`) as Promise<
    string[]
  >;
}

/** Text that is cut off without a sign, controls that lie over each other, and a page wider than its window. */
export const cutOrOverlapping = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const found = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push('the page is ' + scrollWidth + ' px wide');
    const name = (one) => one.tagName + ' ' + one.textContent.trim().slice(0, 40);
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
    for (const one of document.querySelectorAll('main *, header *')) {
      const style = getComputedStyle(one);
      const hides = style.overflowX === 'hidden' || style.overflowX === 'clip';
      if (hides && !one.closest('.unseen') && isSeen(one) && one.scrollWidth > one.clientWidth + 1) {
        found.push('cut: ' + name(one));
      }
    }
    const pressed = [...document.querySelectorAll('main button, main a, main input, main select, main summary')].filter(isSeen);
    const boxes = pressed.map((one) => [one, one.getBoundingClientRect()]);
    boxes.forEach(([one, a], at) => {
      for (const [other, b] of boxes.slice(at + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) found.push(name(one) + ' lies over ' + name(other));
      }
    });
    return found;
  })()`) as Promise<string[]>;
