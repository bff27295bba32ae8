import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/host/library/load-config.ts';
import { memoryWorkspace } from '../../../src/host/library/memory-workspace.ts';
import { ensureWorkspace, scaffoldBootstrapFiles } from '../../../src/host/library/starter.ts';

const OWN = {
  model: 'openai/gpt-5-mini',
  temperature: 0.5,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
  providers: { openai: { apiKey: '${MY_KEY}' } },
  permissions: { allow: ['make'], deny: ['git push'] },
  mcpServers: { files: { command: 'npx', args: ['files'] } },
  sandbox: 'off',
};
const PROJECT = { model: 'anthropic/other', permissions: { deny: ['npm *'] }, sandbox: 'auto' };

/** The user's file under a name, as a test has no folder of a user. */
const stage = (own: object | null, project: object | null) => {
  const world = memoryWorkspace({
    ...(own === null ? {} : { 'own.json': JSON.stringify(own) }),
    ...(project === null ? {} : { '.tardigrade.json': JSON.stringify(project) }),
  });
  const { workspace, machine } = world;
  return { world, wish: { workspace, machine, env: { MY_KEY: 'sk-0123456789' } } };
};

describe('settings files as the options of a call', () => {
  test('are all of the own one, and of the project only what narrows', async () => {
    const { wish } = stage(OWN, PROJECT);
    expect(await loadConfig({ ...wish, file: 'own.json', model: 'ollama/small' })).toEqual({
      ...{ workspace: wish.workspace, model: 'openai/gpt-5-mini', temperature: 0.5 },
      providers: { openai: { apiKey: 'sk-0123456789' } },
      keys: expect.arrayContaining(['sk-0123456789']),
      rules: { user: OWN.permissions, project: { deny: ['npm *'] } },
      servers: { files: expect.objectContaining({ command: 'npx', args: ['files'] }) },
      sandboxAtLeast: 'auto',
      ...{ profiles: [], fallbacks: [] },
    });
  });

  test('that name no model take the one that is given, and say where there is none', async () => {
    const { wish } = stage({}, null);
    const file = 'own.json';
    expect((await loadConfig({ ...wish, file, model: 'ollama/small' })).model).toBe('ollama/small');
    await expect(loadConfig({ ...wish, file })).rejects.toMatchObject({ code: 'E_USAGE' });
  });
});

describe('a first folder', () => {
  test('is made with those above it, and its first document once', async () => {
    const { world } = stage(null, null);
    const { machine } = world;
    const folder = machine.fs.platform === 'win32' ? 'C:\\a\\b\\c' : '/a/b/c';
    expect(await ensureWorkspace({ machine, workspace: folder })).toBe(folder);
    expect(await ensureWorkspace({ machine, workspace: folder })).toBe(folder);
    const where = { workspace: folder, machine };
    expect(await scaffoldBootstrapFiles(where)).toEqual(['AGENTS.md']);
    expect(await scaffoldBootstrapFiles(where)).toEqual([]);
  });

  test('lies in the data folder of the user where none is named', async () => {
    const { machine } = stage(null, null).world;
    const isWindows = machine.fs.platform === 'win32';
    const env = isWindows
      ? { LOCALAPPDATA: 'C:\\data' }
      : { XDG_DATA_HOME: '/data', HOME: '/home' };
    const folder = await ensureWorkspace({ machine, env });
    expect(folder.endsWith('workspace')).toBe(true);
    expect(machine.fs.stat(folder).kind).toBe('directory');
  });

  test('is refused where a file is in its place', async () => {
    const { world } = stage({}, null);
    const { machine, workspace } = world;
    const request = { machine, workspace: `${workspace}/own.json` };
    await expect(ensureWorkspace(request)).rejects.toMatchObject({ code: 'E_WORKSPACE' });
  });
});
