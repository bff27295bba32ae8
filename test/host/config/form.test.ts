import { readFileSync } from 'node:fs';
import envPaths from 'env-paths';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/host/config/form.ts';
import { configFolderOf } from '../../../src/host/user/user-folders.ts';

test('what editors read is what the program checks: node scripts/run.mjs scripts/make-config-schema.ts', () => {
  const carried = readFileSync('src/host/config/config.schema.json', 'utf8');
  expect(JSON.parse(carried)).toEqual(JSON.parse(JSON.stringify(configSchema())));
});

test('every setting says in the schema what it is for', () => {
  const { properties } = configSchema() as {
    readonly properties: { readonly [name: string]: { readonly description?: string } };
  };
  for (const [name, { description = '' }] of Object.entries(properties))
    expect(description, name).not.toBe('');
});

test('the folder of a user is the one that env-paths has for it', () => {
  const { env, platform } = process;
  expect(configFolderOf({ env, platform })).toBe(
    envPaths('tardigrade-agent', { suffix: '' }).config,
  );
});

test.each([
  ['linux', { HOME: '/h' }, '/h/.config/tardigrade-agent'],
  ['linux', { HOME: '/h', XDG_CONFIG_HOME: '/c' }, '/c/tardigrade-agent'],
  ['linux', { HOME: '/h', XDG_CONFIG_HOME: 'c' }, '/h/.config/tardigrade-agent'],
  ['darwin', { HOME: '/h', XDG_CONFIG_HOME: '/c' }, '/h/Library/Preferences/tardigrade-agent'],
  ['win32', { USERPROFILE: 'C:\\u' }, 'C:\\u\\AppData\\Roaming\\tardigrade-agent\\Config'],
  ['win32', { USERPROFILE: 'C:\\u', APPDATA: 'D:\\a' }, 'D:\\a\\tardigrade-agent\\Config'],
] as const)('on %s with %j', (platform, env, expected) => {
  expect(configFolderOf({ env, platform })).toBe(expected);
});
