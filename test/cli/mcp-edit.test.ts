/** `agent mcp add` and `agent mcp remove`, with the real engine's way of changing a settings file. */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { editSettingsOn } from '../../src/host/config/edit-settings.ts';
import type { ConsentTo } from '../../src/host/engine-port.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { INSIDE_A_RUN } from '../../src/processes/environment.ts';
import { systemMachine } from '../../src/run/machine.ts';
import { configFolder, homeVariables } from '../support/user-home.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(`${tmpdir()}/mcp-edit-`));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const own = () => join(configFolder(home), 'config.json');
const theirs = () => join(home, '.mcp.json');
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

async function agent(line: string, env: { readonly [name: string]: string } = {}) {
  const environment = { ...homeVariables(home), NO_COLOR: '1', ...env };
  const terminal = fakeTerminal({
    ...{ cwd: home, env: environment, platform: process.platform },
  });
  const agreed: ConsentTo[] = [];
  const forgotten: (string | null)[] = [];
  const machine = systemMachine({ env: {}, nodePath: process.execPath });
  const engine = fakeEngine({
    parts: {
      editSettings: editSettingsOn({ machine, dataFolder: join(home, 'data') }),
      lookAtServers: async ({ servers }) =>
        Object.keys(servers).map((name) => ({ name, tools: ['look'], notes: [] })),
      serverConsents: {
        of: ({ name }) => (agreed.some((one) => one.name === name) ? 'yes' : 'none'),
        save: (server) => void agreed.push(server),
        forget: (_, name) => {
          forgotten.push(name);
          return [];
        },
      },
    },
  });
  const exitCode = await main(line.split(' '), terminal, async () => engine);
  const [stdout, stderr] = [terminal.stdout.text(), terminal.stderr.text()];
  return { exitCode, stdout, stderr, agreed, forgotten };
}

test('a program is added to your settings as typed, and asked at once', async () => {
  const added = await agent('mcp add files --env MODE=quick --env KEY -- npx -y one --yes', {
    KEY: 'k',
  });
  expect(added.exitCode).toBe(0);
  expect(added.stdout).toBe(
    `Added files to ${own()}\nfiles  user     answers with 1 tool\n  npx -y one --yes\n  look\n`,
  );
  expect(added.stderr).toMatch(/^The value of MODE stands as typed in .*config\.json\./);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
  const env = { MODE: 'quick', KEY: '${KEY:-}' };
  const files = { command: 'npx', args: ['-y', 'one', '--yes'], env };
  expect(read(own())).toEqual({ mcpServers: { files } });
});

test('an address is added with its headers, and a socket by host and port', async () => {
  await agent('mcp add web https://example.com/mcp --header X-Team:tools');
  await agent('mcp add line tcp://127.0.0.1:7000');
  const web = { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Team': 'tools' } };
  expect(read(own())).toEqual({ mcpServers: { web, line: { host: '127.0.0.1', port: 7000 } } });
});

test('a name that is taken, and what no start could read, changes nothing', async () => {
  await agent('mcp add files -- npx one');
  const before = readFileSync(own(), 'utf8');
  expect((await agent('mcp add files -- npx one')).stdout).toContain('stands in');
  for (const [line, why] of [
    ['mcp add files -- npx two', /:3: There is another server called files\.\n.*mcp remove files/],
    ['mcp add a.b -- npx', /"a\.b" cannot be the name of a server/],
    ['mcp add b ftp://h/x', /url: it is not an address of http/],
    ['mcp add b https://me:pw@h/x', /a name and a password go into the headers/],
    ['mcp add b https://h/x --env A=1', /does not go with "url"/],
    ['mcp add b npx one', /behind it an address or, after --, a command line/],
    ['mcp add b -- --env A=1 npx', /after --, a command line/],
    ['mcp add b https://h --header x', /is not a header/],
    ['mcp list --env A=1', /for a server that is added/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as typed
    ['mcp add b --env A=${NOT_SET} -- npx', /NOT_SET is not set/],
  ] as const) {
    const { exitCode, stderr } = await agent(line);
    expect([line, exitCode, stderr]).toEqual([line, 2, expect.stringMatching(why)]);
  }
  expect(readFileSync(own(), 'utf8')).toBe(before);
});

test("a project's server is agreed to by who adds it, and forgotten when it is removed", async () => {
  writeFileSync(theirs(), '{\n  "other": 1, // kept\n}\n');
  const { agreed, exitCode } = await agent('mcp add --project here -- node ./server.mjs');
  expect([exitCode, agreed.map(({ name }) => name)]).toEqual([0, ['here']]);
  expect(readFileSync(theirs(), 'utf8')).toMatch(
    /^\{\n {2}"other": 1, \/\/ kept\n {2}"mcpServers"/,
  );
  expect(existsSync(own())).toBe(false);
  expect((await agent('mcp remove here')).stderr).toContain('mcp remove here --project');
  expect((await agent('mcp remove --project here')).forgotten).toEqual(['here']);
  expect((await agent('mcp remove --project here')).exitCode).toBe(2);
});

test('a program that a run has started adds and removes nothing', async () => {
  for (const line of ['mcp add files -- npx one', 'mcp remove files']) {
    const { exitCode, stderr } = await agent(line, { [INSIDE_A_RUN]: '1' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot answer for a person')]);
  }
  expect(existsSync(own())).toBe(false);
});

test('who finds the settings locked waits, and then gives up without a change', () => {
  const machine = systemMachine({ env: {}, nodePath: process.execPath });
  const dataFolder = join(home, 'data');
  const waits: number[] = [];
  const edit = editSettingsOn({ machine, dataFolder, wait: (ms) => void waits.push(ms) });
  const file = join(home, 'config.json');
  edit(file, () => {
    expect(() => edit(file, () => 'lost')).toThrow(TardigradeError);
    return '{"a": 1}\n';
  });
  expect(waits.length).toBeGreaterThan(10);
  expect(readFileSync(file, 'utf8')).toBe('{"a": 1}\n');
  expect(nodeFileSystem.stat(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
});

test.each([
  ['is a link', 'it is not a plain file'],
  ['is too long', 'it has more than 256 KB'],
])("a project's file that %s is not changed, since no start reads it", async (what, why) => {
  const target = what === 'is a link' ? join(home, 'elsewhere.json') : theirs();
  const text = `${JSON.stringify({ mcpServers: { x: { command: 'npx' } } })}${' '.repeat(what === 'is a link' ? 0 : 300_000)}`;
  writeFileSync(target, text);
  if (target !== theirs()) symlinkSync(target, theirs());
  for (const line of ['mcp add --project y -- npx', 'mcp remove --project x']) {
    const refused = await agent(line);
    expect(refused.exitCode, line).toBe(2);
    expect(refused.stderr).toContain(why);
    expect(readFileSync(target, 'utf8')).toBe(text);
  }
});
