/** The servers that a project would like to have: nobody gets them without a person's yes. */
import {
  cpSync,
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
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { main } from '../../src/cli/main.ts';
import { QUIET_MS } from '../../src/cli/questions/quiet-keys.ts';
import { serversFor } from '../../src/cli/questions/servers-for.ts';
import type { Engine } from '../../src/host/engine-port.ts';
import { originKeys } from '../../src/host/journals/origin-key.ts';
import { serverConsents } from '../../src/host/user/server-consents.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { INSIDE_A_RUN } from '../../src/processes/environment.ts';
import type { ServerLook } from '../../src/run/servers/look-at-servers.ts';
import type { ServerEntries } from '../../src/schema/servers.ts';
import { configFolder, homeVariables } from '../support/user-home.ts';
import { fakeEngine, fakeTerminal, runState } from './support.ts';

let cwd = '';
let home = '';
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(`${tmpdir()}/mcp-project-`));
  home = realpathSync(mkdtempSync(`${tmpdir()}/mcp-home-`));
});
afterEach(() => {
  for (const folder of [cwd, home]) rmSync(folder, { recursive: true, force: true });
});

const SECRET = 'k3y-0f-the-environment';
const FILES = {
  command: 'npx',
  args: ['-y', 'some server'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
  env: { TOKEN: '${MY_TOKEN}', MODE: 'quick' },
};
const theirs = (mcpServers: unknown, folder = cwd) =>
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));
const own = (mcpServers: unknown) => {
  const file = join(configFolder(home), 'config.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers }));
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
const NOT_SET = '${NOT_SET}';

interface Typing {
  /** What a person presses at each question; left out: there is no terminal. */
  readonly keys?: string;
  readonly isEarly?: boolean;
  readonly env?: { readonly [name: string]: string };
  readonly folder?: string;
  readonly answer?: string;
}

async function agent(argv: readonly string[], typing: Typing = {}) {
  const { keys, isEarly = false, env = {}, folder = cwd, answer = '' } = typing;
  const environment = {
    ...homeVariables(home),
    ...{ NO_COLOR: '1', MY_TOKEN: SECRET, OLLAMA_MODEL: 'small:1b' },
    ...env,
  };
  const isTerminal = keys !== undefined || answer !== '';
  const terminal = fakeTerminal({
    ...{ cwd: folder, env: environment, platform: process.platform },
    ...{ isTerminal, answer },
  });
  const pressed = [...(keys ?? '')];
  const asking = {
    ...terminal,
    keys: (listener: (key: string) => void) => {
      if (!isEarly) terminal.advance(QUIET_MS);
      queueMicrotask(() => {
        listener(pressed.shift() ?? '');
        // Nobody answers any more: Ctrl+C.
        if (isEarly) terminal.send('SIGINT');
      });
      return () => {};
    },
  };
  const fs = nodeFileSystem;
  const dataFolder = join(home, 'data');
  const own = originKeys({ fs, dataFolder, random: (bytes) => Buffer.alloc(bytes, 7) });
  const consents = serverConsents({ fs, dataFolder, keys: own });
  const lookedAt: ServerEntries[] = [];
  const lookAtServers: Engine['lookAtServers'] = async ({ servers }) => {
    lookedAt.push(servers);
    return Object.keys(servers).map((name) => ({ name, ...(LOOKS[name] ?? NO_TOOLS) }));
  };
  const engine = fakeEngine({ parts: { serverConsents: consents, lookAtServers } });
  const exitCode = await main(argv, asking, async () => engine);
  const [stdout, stderr] = [terminal.stdout.text(), terminal.stderr.text()];
  return { exitCode, stdout, stderr, servers: engine.runs[0]?.servers, lookedAt };
}

const NO_TOOLS = { tools: [], notes: [] };
const TOOLS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const LOOKS: { readonly [name: string]: Omit<ServerLook, 'name'> } = {
  files: { tools: TOOLS, notes: ['1 beyond the first 200'] },
  gone: { tools: null, notes: ['127.0.0.1:9 cannot be reached (ECONNREFUSED)'] },
};

const STARTED = {
  command: 'npx',
  args: ['-y', 'some server'],
  env: { TOKEN: SECRET, MODE: 'quick' },
};

describe('without a person', () => {
  test('a server is left out and said with the command, in JSON too; approved, it is used', async () => {
    theirs({ files: FILES });
    const before = await agent(['do it']);
    expect(before.servers).toEqual({});
    expect(before.stderr).toContain(
      "The MCP server files of the project's .mcp.json is left out: you have not approved it. To see and approve it: agent mcp approve files\n",
    );
    const json = await agent(['do it', '--json']);
    expect(json.stdout).toMatch(/"type":"notice".*agent mcp approve files/);
    const unasked = await agent(['mcp', 'approve', 'files']);
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain('agent mcp approve files --yes');
    expect((await agent(['mcp', 'approve', 'files', '--yes'])).stdout).toBe(
      'Approved: files. Each call of its tools still asks.\n',
    );
    const after = await agent(['do it']);
    expect(after.servers).toEqual({ files: STARTED });
    expect(after.stderr).not.toContain('MCP');
  });

  test('a run that is over asks and starts nothing', async () => {
    theirs({ files: FILES });
    const ended = runState({ ended: { ending: 'achieved', detail: '' } as never });
    const terminal = fakeTerminal({ cwd, env: homeVariables(home), platform: process.platform });
    const engine = fakeEngine({ current: ended });
    await main([ended.goal], terminal, async () => engine);
    expect(terminal.stderr.text()).not.toContain('MCP');
  });
});

describe('a consent', () => {
  const approved = async () => {
    theirs({ files: FILES });
    await agent(['mcp', 'approve', 'files', '--yes']);
  };

  test.each([
    ['another argument', { ...FILES, args: ['-y', 'another server'] }],
    ['another variable', { ...FILES, env: { ...FILES.env, NODE_OPTIONS: '--require ./x.js' } }],
    ['an address in the place of a program', { url: 'http://127.0.0.1:1/mcp' }],
  ])('does not hold for %s', async (_what, changed) => {
    await approved();
    theirs({ files: changed });
    const { servers, stderr } = await agent(['do it']);
    expect(servers).toEqual({});
    expect(stderr).toContain('it is not what you approved');
    expect((await agent(['mcp'])).stdout).toContain('changed since it was approved');
  });

  test('holds for the files of the folder that its command line names as long as they are what they were', async () => {
    const script = join(cwd, 'server.mjs');
    writeFileSync(script, 'good');
    theirs({ files: { command: 'node', args: ['--import=./hook.mjs', 'server.mjs', '-v'] } });
    await agent(['mcp', 'approve', 'files', '--yes']);
    writeFileSync(join(cwd, 'notes.txt'), 'nobody names it');
    expect(Object.keys((await agent(['do it'])).servers ?? {})).toEqual(['files']);
    writeFileSync(script, 'other');
    expect((await agent(['do it'])).stderr).toContain('it is not what you approved');
    writeFileSync(script, 'good');
    expect(Object.keys((await agent(['do it'])).servers ?? {})).toEqual(['files']);
    writeFileSync(join(cwd, 'hook.mjs'), 'new');
    expect((await agent(['do it'])).servers).toEqual({});
  });

  test('does not hold in a copy of the folder, nor for whoever writes the file of consents himself', async () => {
    await approved();
    const copy = `${cwd}-copy`;
    cpSync(cwd, copy, { recursive: true });
    expect((await agent(['do it'], { folder: copy })).servers).toEqual({});
    rmSync(copy, { recursive: true });
    const folder = join(home, 'data', 'servers');
    const [name = ''] = readdirSync(folder);
    const kept = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const forged of [
      { ...kept.servers[0], mac: '00' },
      { ...kept.servers[0], name: 'other' },
    ]) {
      theirs({ files: FILES, other: FILES });
      writeFileSync(join(folder, name), JSON.stringify({ ...kept, servers: [forged] }));
      expect((await agent(['do it'])).servers).toEqual({});
    }
  });

  test('is asked anew after a reset, and a program of a run gives none', async () => {
    await approved();
    expect((await agent(['mcp', 'reset', '--json'])).stdout).toContain('"files"');
    expect((await agent(['do it'])).servers).toEqual({});
    for (const verb of ['approve', 'reset']) {
      const argv = ['mcp', verb, 'files', '--yes'];
      const inside = await agent(argv, { env: { [INSIDE_A_RUN]: '1' } });
      expect([inside.exitCode, inside.stderr]).toEqual([
        2,
        expect.stringContaining('cannot answer for a person'),
      ]);
    }
  });
});

describe('at a terminal', () => {
  test('the question shows all of it, names what it gets, and a yes is kept', async () => {
    theirs({ files: FILES });
    const { servers, stderr } = await agent(['do it'], { keys: 'y' });
    for (const line of [
      "Start this project's MCP server?",
      "  files: npx -y 'some server'",
      `  in ${cwd}, as you, before any of its tools is called`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
      "  with the variables: 'TOKEN=${MY_TOKEN}' MODE=quick",
      '  It gets the values that your environment has for MY_TOKEN.',
    ])
      expect(stderr.split('\n')).toContain(line);
    expect(stderr).not.toContain(SECRET);
    expect(servers).toEqual({ files: STARTED });
    expect((await agent(['do it'])).servers).toEqual({ files: STARTED });
  });

  test('each server is asked by itself: no counts once, never counts until it changes', async () => {
    theirs({ one: FILES, two: { url: 'https://example.com/mcp', headers: { 'X-A': 'b' } } });
    const { servers, stderr } = await agent(['do it'], { keys: '\rd' });
    expect(servers).toEqual({});
    expect(stderr).toContain("Contact this project's MCP server?");
    expect(stderr).toContain('  with the headers: ');
    const again = await agent(['do it'], { keys: 'y' });
    expect(again.stderr).not.toContain('example.com');
    expect(Object.keys(again.servers ?? {})).toEqual(['one']);
    expect((await agent(['mcp', 'list'])).stdout).toContain('refused; to approve it');
    theirs({ two: { url: 'https://example.com/other' } });
    expect((await agent(['do it'], { keys: 'n' })).stderr).toContain('example.com/other');
  });

  test('not this time counts for as long as a conversation is open', async () => {
    const server = { ...{ name: 'files', definition: '{}', fields: {}, line: 1, variables: [] } };
    const projectServers = { file: '', fault: null, servers: [{ ...server, entry: FILES }] };
    const context = {
      ...{ configured: { projectServers, servers: {} }, invocation: { workspace: cwd } },
      ...{ terminal: fakeTerminal({}), engine: fakeEngine(), refusedServers: new Set() },
    } as unknown as CommandContext;
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return 'not_now' as const;
    };
    const place = { ask, hold: () => () => {}, warn: () => {}, signal: AbortSignal.any([]) };
    for (const _ of ['the conversation opens', '/goal']) await serversFor(context, place);
    expect(asked).toBe(1);
    await serversFor({ ...context, refusedServers: new Set() }, place);
    expect(asked).toBe(2);
  });

  test('what was typed before answers nothing, and CI has no person', async () => {
    theirs({ files: FILES });
    const early = await agent(['do it'], { keys: 'y', isEarly: true });
    expect(early.servers).toEqual({});
    expect(early.stderr).toContain('(not answered)');
    const ci = await agent(['do it'], { keys: 'y', env: { CI: '1' } });
    expect([ci.servers, ci.stderr]).toEqual([{}, expect.stringContaining('agent mcp approve')]);
  });

  test('agent mcp approve asks there, and no is no', async () => {
    theirs({ files: FILES });
    expect((await agent(['mcp', 'approve', 'files'], { answer: 'n' })).stdout).toBe('');
    expect((await agent(['do it'])).servers).toEqual({});
    expect((await agent(['mcp', 'approve', 'files'], { answer: 'y' })).stdout).toContain(
      'Approved',
    );
  });
});

describe('what cannot be used', () => {
  test.each([
    ['an unknown kind', { type: 'pipe', url: 'https://example.com' }, 'type: Not stdio, '],
    [
      'the older transport over HTTP',
      { type: 'sse', url: 'https://example.com' },
      'type: The older transport over HTTP (sse) is not spoken here',
    ],
    ['a sandbox for an address', { url: 'https://example.com', sandbox: true }, 'does not go with'],
    ['nothing to start or ask', {}, 'it needs a command'],
    ['two kinds at once', { command: 'x', url: 'https://example.com' }, 'does not go with'],
    ['half an address', { host: '127.0.0.1' }, 'it needs'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
    ['a variable in an argument', { command: 'x', args: ['${HOME}'] }, 'only in env and headers'],
    ['a password in its address', { url: 'https://a:b@example.com' }, 'go into the headers'],
    ['another protocol', { url: 'file:///etc/passwd' }, 'not an address of http'],
    ['hidden characters', { command: 'x', args: ['a\u202eb'] }, 'cannot be shown'],
    ['a line that is not seen', { command: 'x', args: ['a\nb'] }, 'cannot be shown'],
    ['more than anybody reads', { command: 'x', args: ['a'.repeat(9000)] }, 'too long'],
    ['a variable that is not set', { command: 'x', env: { A: NOT_SET } }, 'NOT_SET is not set'],
  ])('%s is said, asks nothing and stops nothing', async (_what, server, why) => {
    theirs({ bad: server, constructor: { command: 'x' } });
    const { servers, stderr } = await agent(['do it'], { keys: 'y' });
    expect(servers).toEqual({ constructor: { command: 'x', args: [], env: {} } });
    expect(stderr.replace(/\s+/g, ' ')).toContain(why);
    const approving = await agent(['mcp', 'approve', 'bad', '--yes']);
    expect([approving.exitCode, approving.stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  test('a file that cannot be read is said and ends no run', async () => {
    for (const text of ['{', '[]', '{"servers": {}}']) {
      writeFileSync(join(cwd, '.mcp.json'), text);
      const { exitCode, servers, stderr } = await agent(['do it']);
      expect([exitCode, servers]).toEqual([0, {}]);
      expect(stderr).toContain('.mcp.json');
    }
    rmSync(join(cwd, '.mcp.json'));
    writeFileSync(join(home, 'elsewhere.json'), JSON.stringify({ mcpServers: { files: FILES } }));
    symlinkSync(join(home, 'elsewhere.json'), join(cwd, '.mcp.json'));
    expect((await agent(['mcp', 'list'])).stderr).toContain('not a plain file');
  });
});

describe('agent mcp says which servers answer', () => {
  const GONE = { host: '127.0.0.1', port: 9 };

  test('of a project only one that a person agreed to is asked', async () => {
    theirs({ files: FILES });
    own({ gone: GONE });
    const before = await agent(['mcp']);
    expect(before.lookedAt).toEqual([{ gone: GONE }]);
    expect(before.stdout).toContain('files  project  not approved: agent mcp approve files\n');
    await agent(['mcp', 'approve', 'files', '--yes']);
    const after = await agent(['mcp']);
    expect(after.lookedAt).toEqual([{ gone: GONE, files: STARTED }]);
    expect(after.stdout).toBe(`gone   user     does not answer
  127.0.0.1:9
  127.0.0.1:9 cannot be reached (ECONNREFUSED)
files  project  approved, answers with 10 tools
  npx -y 'some server'
  a, b, c, d, e, f, g, h and 2 more
  left out: 1 beyond the first 200
`);
    const { servers } = JSON.parse((await agent(['mcp', '--json'])).stdout);
    expect(servers.map(({ answers }: { answers: boolean }) => answers)).toEqual([false, true]);
    expect(servers[1].tools).toEqual(TOOLS);
    theirs({ files: { ...FILES, args: ['other'] } });
    expect((await agent(['mcp'])).lookedAt).toEqual([{ gone: GONE }]);
  });

  test('none is started for a program of a run, nor one that is hidden or cannot be used', async () => {
    own({ files: GONE });
    const inside = await agent(['mcp', '--json'], { env: { [INSIDE_A_RUN]: 'run' } });
    expect(inside.lookedAt).toEqual([]);
    expect(JSON.parse(inside.stdout).servers[0]).toMatchObject({ answers: null, tools: null });
    theirs({ files: FILES, bad: { type: 'sse' } });
    expect((await agent(['mcp'])).lookedAt).toEqual([{ files: GONE }]);
  });
});

test('the user’s own server of a name is the one that is meant, and its values are not shown', async () => {
  theirs({ files: FILES });
  own({
    files: { command: 'mine' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
    web: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${MY_TOKEN}' } },
    raw: { type: 'tcp', host: '127.0.0.1', port: 8710, required: true },
  });
  const { servers } = await agent(['do it']);
  expect(servers).toEqual({
    files: { command: 'mine', args: [], env: {}, cwd: home },
    web: { url: 'https://example.com/mcp', headers: { Authorization: `Bearer ${SECRET}` } },
    raw: { host: '127.0.0.1', port: 8710, required: true },
  });
  const { stdout } = await agent(['mcp', '--json']);
  expect(stdout).not.toContain(SECRET);
  expect(JSON.parse(stdout).servers.map((row: { name: string; from: string }) => row.from)).toEqual(
    ['user', 'user', 'user', 'project'],
  );
  const config = await agent(['config']);
  expect(config.stdout).toContain('mcpServers.web.headers.Authorization\t');
  expect(config.stdout).not.toContain(SECRET);
});

test('a server in the settings that does not fit together is told with its line', async () => {
  own({ web: { url: 'https://example.com', args: ['x'] } });
  expect((await agent(['do it'])).stderr).toMatch(/config\.json:1: mcpServers\.web\.args: .*url/);
  own({ web: { url: 'ftp://example.com' } });
  expect((await agent(['do it'])).stderr).toMatch(/mcpServers\.web\.url: .*http/);
  own({ web: { ulr: 'https://example.com' } });
  expect((await agent(['do it'])).stderr).toContain('Did you mean "url"?');
});
