/**
 * The single program, where one was made: `node scripts/make-single-program.mjs --out FILE`, then this test with
 * TARDIGRADE_SINGLE=FILE. To make it takes the Node of the newest LTS, so it is no part of every test run.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';

const single = process.env.TARDIGRADE_SINGLE ?? '';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const home = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-single-')));
const empty = join(home, 'empty');
mkdirSync(empty);
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** With nothing of this machine but what is named. */
const run = (args: readonly string[], path = empty) =>
  execa(single, args, {
    cwd: empty,
    env: { HOME: home, USERPROFILE: home, LOCALAPPDATA: home, APPDATA: home, PATH: path },
    extendEnv: process.platform === 'win32',
    reject: false,
    all: true,
  });

describe.skipIf(single === '')('the single program', () => {
  test('says its version, and itself in what is to be typed', async () => {
    expect((await run(['--version'])).stdout).toBe(manifest.version);
    const { exitCode, stderr } = await run(['resume']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`Start one: ${single} "goal"`)]);
  });

  test('has no demo without Node and Python, and says so in one line', async () => {
    const { exitCode, stderr } = await run(['demo']);
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      2,
      'Error: The demo needs Node.js or Python, and neither was found.',
    ]);
  });

  test('plays its demo where Node is, and unpacks what it reads, whole', async () => {
    const only = join(home, 'only');
    mkdirSync(only);
    symlinkSync(process.execPath, join(only, 'node'));
    const { exitCode, all } = await run(['demo', '--clean'], only);
    expect(all).toContain('records from before the kill: all there, unchanged');
    expect(exitCode).toBe(0);
    const caches = join(home, '.cache', 'tardigrade-agent');
    if (!existsSync(caches)) return;
    const [folder = ''] = readdirSync(caches).filter((name) => name.startsWith('single-'));
    const recording = join(caches, folder, 'demo', 'javascript.json');
    const whole = readFileSync(recording);
    writeFileSync(recording, 'not what was unpacked');
    await run(['demo', '--python'], empty);
    expect(readFileSync(recording)).toEqual(whole);
  }, 60_000);

  test('counts as no Node of its own: nothing of a project runs by it', async () => {
    const { stdout } = await run(['doctor', '--verbose', '--json']);
    expect(JSON.stringify(JSON.parse(stdout))).not.toContain(`${single} --`);
    expect((await run(['tardigrade:evaluate', 'console.log(1 + 1)'])).stdout).toBe('2');
  });
});
