/** What stands in for npm in plays runs a script as npm itself does. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realFolder } from './real-run.ts';

const PACKAGE = {
  type: 'module',
  scripts: { test: "node -e 'process.exit(3)'", build: 'tool && pwd', quoted: 'echo "a"' },
};
const QUIET = { npm_config_update_notifier: 'false' };

it.skipIf(process.platform === 'win32')(
  'a script is shown, finds the programs of the folder, and ends npm with its own code',
  () => {
    const folder = realFolder({ 'node_modules/.bin/tool': '#!/bin/sh\necho found\n' });
    spawnSync('chmod', ['+x', join(folder, 'node_modules/.bin/tool')]);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(PACKAGE, null, 2));
    const ran = (npm: string, ...args: readonly string[]) => {
      const env = { ...process.env, ...QUIET };
      const { status, stdout } = spawnSync(npm, args, { cwd: folder, env, encoding: 'utf8' });
      return [status, stdout];
    };
    const standIn = join(import.meta.dirname, 'programs/npm');
    for (const args of [['test'], ['run', 'build'], ['run', 'nothing']])
      expect(ran(standIn, ...args)).toEqual(ran('npm', ...args));
    expect(ran(standIn, 'run', 'quoted')).toEqual([1, '']);
  },
);
