/** One's own state stays one's own, wherever the folder lies; without a key nothing is lost and nothing believed. */
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { originOf } from '../../src/context-manager/origin.ts';
import { blessSnapshot } from '../support/altered-file-system.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { openAiError } from '../support/fake-openai-bodies.ts';
import { GOAL, temporaryFolder, userAt } from '../support/forged-state.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const LIST = { object: 'list', data: [{ id: 'm', object: 'model' }] };
const KEY = { OPENAI_API_KEY: 'key-0123456789-abcdef' };

let folder: string;
let server: FakeOpenAi;
beforeEach(async () => {
  folder = temporaryFolder();
  server = await startFakeOpenAi({
    script: () => openAiError(401, 'no'),
    pages: { '/v1/models': LIST },
  });
});
afterEach(() => server.close());

const begin = () => [GOAL, '--model', 'openai/m', '--base-url', server.url];

describe('a run of one’s own', () => {
  it('goes on where it was begun, renamed, and copied, at the address it was given', async () => {
    const agent = userAt(folder, KEY);
    await agent(begin());
    const [moved, copied] = [join(temporaryFolder(), 'moved'), join(temporaryFolder(), 'copied')];
    cpSync(folder, copied, { recursive: true });
    renameSync(folder, moved);
    for (const at of [moved, copied]) {
      const asked = server.chats.length;
      const { code, stderr } = await agent(['resume', '--workspace', at]);
      expect([code, stderr]).toEqual([7, expect.stringContaining(`began with: ${server.url}`)]);
      expect(server.chats.length).toBeGreaterThan(asked);
      expect((await agent(['adopt', '--workspace', at])).stdout).toContain('yours already');
      const status = await agent(['status', '--json', '--workspace', at]);
      expect(JSON.parse(status.stdout)).toMatchObject({ origin: 'own' });
    }
  });

  it('is somebody else’s to another user of the same folder', async () => {
    await userAt(folder, KEY)(begin());
    const asked = server.requests.length;
    const { code } = await userAt(folder, KEY)(['resume']);
    expect([code, server.requests.length]).toEqual([8, asked]);
  });

  it('with an address that somebody wrote into it asks there no more', async () => {
    const agent = userAt(folder, { ...KEY, OPENAI_BASE_URL: server.url });
    const evil = await startFakeOpenAi({ pages: { '/v1/models': LIST } });
    await agent([GOAL, '--model', 'openai/m']);
    const file = join(folder, '.agent_context', 'state.json');
    const state = readFileSync(file, 'utf8');
    expect(state).toContain('"systemPrompt"');
    writeFileSync(
      file,
      blessSnapshot(
        Buffer.from(
          state.replace('"systemPrompt"', `"baseUrl": ${JSON.stringify(evil.url)},"systemPrompt"`),
        ),
      ),
    );
    expect((await agent(['status', '--json'])).stdout).not.toContain(evil.url);
    const asked = server.chats.length;
    await agent(['resume']);
    expect([server.chats.length > asked, evil.requests]).toEqual([true, []]);
    await evil.close();
  });
});

describe('without a key', () => {
  const noFolder = (): Record<string, string> => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    return { XDG_DATA_HOME: file, LOCALAPPDATA: file, HOME: file };
  };

  it('a run works and says what going on with it will take', async () => {
    const { code, stderr } = await userAt(folder, { ...KEY, ...noFolder() })(begin());
    expect([code, server.chats.length > 0]).toEqual([7, true]);
    expect(stderr).toMatch(/cannot be marked as yours, .* takes an adoption: .*\(E\w+\)\./);
  });

  it('it is refused with the reason, and goes on once the person has a folder and adopts it', async () => {
    const homeless = userAt(folder, { ...KEY, OPENAI_BASE_URL: server.url, ...noFolder() });
    await homeless(begin());
    const refused = await homeless(['resume']);
    expect([refused.code, refused.stderr]).toEqual([
      8,
      expect.stringMatching(/It is unclear whether your agent.*\n.*Next: .*agent adopt\n/),
    ]);
    expect((await homeless([GOAL, '--model', 'openai/m'])).stderr).toContain('It is unclear');
    const unsigned = await homeless(['adopt', '--yes']);
    expect([unsigned.code, unsigned.stderr]).toEqual([8, expect.stringContaining('taken over')]);
    const agent = userAt(folder, { ...KEY, OPENAI_BASE_URL: server.url });
    expect((await agent(['resume'])).code).toBe(8);
    expect((await agent(['adopt', '--yes'])).code).toBe(0);
    expect((await agent(['resume'])).code).toBe(7);
  });

  it('looking makes none', async () => {
    await userAt(folder, KEY)(begin());
    const data = join(temporaryFolder(), 'data');
    const looker = userAt(folder, { XDG_DATA_HOME: data, LOCALAPPDATA: data, HOME: data });
    for (const look of ['status', 'history', 'runs', 'undo', 'adopt']) await looker([look]);
    expect(existsSync(data)).toBe(false);
  });
});

describe('a program that calls the library', () => {
  const silent = () => scriptedProvider(() => ({ fails: { kind: 'auth_failed' } }));
  const originKey = new Uint8Array(32).fill(1);

  it('may leave the key out: then nothing is signed, and all of its folders are believed', async () => {
    const world = testWorld();
    await runIn(world, silent());
    expect(JSON.stringify(journalOf(world))).not.toContain('"mac"');
    await runIn(world, silent(), { goal: null });
    expect(journalOf(world).map(({ type }) => type)).toContain('run_resumed');
  });

  it('signs the run and the address with the key it gives, and goes on with no other', async () => {
    const world = testWorld();
    await runIn(world, silent(), { originKey, baseUrl: 'http://one/v1' });
    const signed = journalOf(world).filter((record) => 'mac' in record);
    expect(signed.map(({ type }) => type)).toEqual(['run_opened', 'settings_changed']);
    for (const other of [new Uint8Array(32), null])
      await expect(runIn(world, silent(), { goal: null, originKey: other })).rejects.toMatchObject({
        code: 'E_FOREIGN',
      });
    const { result } = await runIn(world, silent(), { goal: null, originKey });
    expect(result.ending).toBe('paused');
  });

  it('signs the address of a fallback that it moves to, and takes the one before out of force', async () => {
    const world = testWorld();
    const other = { ...silent(), name: 'spare' };
    const fallback = { provider: other, model: SCRIPTED_MODEL, profile: 'default' };
    const fallbacks = [{ ...fallback, baseUrl: 'http://two/v1' }, fallback];
    const run = { originKey, baseUrl: 'http://one/v1', fallbacks };
    const { states } = await runIn(world, silent(), run);
    const addresses = states.flatMap(({ settings }) => settings?.baseUrl ?? []);
    expect(new Set(addresses)).toEqual(new Set(['http://one/v1', 'http://two/v1']));
    for (const state of states) expect(originOf(originKey).hasOwnAddress(state)).toBe(true);
    expect(states.some((state) => originOf(null).hasOwnAddress(state))).toBe(false);
  });

  it('begins a goal anew over a run of somebody else, and never in its words', async () => {
    const world = testWorld();
    await runIn(world, silent());
    const anew = { originKey, again: true };
    await expect(runIn(world, silent(), { ...anew, goal: null })).rejects.toMatchObject({
      code: 'E_FOREIGN',
    });
    const { records } = await runIn(world, silent(), anew);
    expect(records[0]).toMatchObject({ type: 'run_opened', mac: expect.any(String) });
  });

  it('is refused a key that others could guess', async () => {
    const short = { originKey: new Uint8Array(16) };
    await expect(runIn(testWorld(), silent(), short)).rejects.toMatchObject({ code: 'E_USAGE' });
  });
});
