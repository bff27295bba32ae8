import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStreamEvent } from '../../../src/schema/events/stream.ts';
import { splitCommand } from '../../../src/tools/commands/split-command.ts';
import type { Script } from '../../support/scripted-provider.ts';
import { chatFolder, lastOf, talk, write } from './talking.ts';

describe('agent --exec', () => {
  test('on a screen its answer is folded between words', async () => {
    const words = `${'one word '.repeat(12)}more`;
    const talking = talk(() => words, { argv: ['--exec', 'What?'] });
    expect(await talking.ended).toBe(0);
    const [first, second] = talking.terminal.stdout.text().split('\n');
    expect(`${first} ${second}`).toBe(words);
  });

  test('answers on stdout alone and ends with 0', async () => {
    const talking = talk(() => 'Forty-two.', { argv: ['--exec', 'What?'], isTerminal: false });
    expect(await talking.ended).toBe(0);
    expect(talking.terminal.stdout.text()).toBe('Forty-two.\n');
    expect(talking.terminal.stderr.text()).toContain('context ');
  });

  test('answers a message of before beside its own', async () => {
    const folder = chatFolder();
    const ask = (text: string, script: Script) =>
      talk(script, { folder, argv: ['--exec', text, '--session', 'mine'], isTerminal: false });
    // What breaks the program leaves the message open.
    expect(await ask('One', () => JSON.parse('')).ended).toBe(1);
    const talking = ask('Two', ({ messages }) => `Answer to ${messages.at(-1)?.content}`);
    expect(await talking.ended).toBe(0);
    expect(talking.terminal.stdout.text()).toBe('Answer to Two\n');
    expect(talking.terminal.stderr.text()).toMatch(/Continuing with .*Answer to One/s);
  });

  test('with --json prints the events of its message, and the result last', async () => {
    const argv = ['--exec', 'What?', '--json', '--session', 'mine'];
    const talking = talk((_, n) => (n === 1 ? write('a.txt', 'x') : 'Forty-two.'), {
      ...{ argv, isTerminal: false },
    });
    expect(await talking.ended).toBe(0);
    const lines = talking.terminal.stdout
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) expect(readStreamEvent(line)).toEqual(line);
    expect(lines[0]).toMatchObject({ type: 'started', number: 1, name: 'mine' });
    expect(lines.map(({ type }) => type)).toContain('tool_result');
    expect(lines.at(-1)).toMatchObject({
      ...{ type: 'result', run: lines[0].run, exitCode: 0, ending: 'replied' },
      ...{ answer: 'Forty-two.', resume: null, workspace: talking.folder },
    });
    expect(lines.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(talking.terminal.stderr.text()).toContain('write a.txt');
  });

  test.each([
    ['an end without an answer', 7, {}, ['--session', 'mine'], 'failed'],
    ['an empty message', 2, { text: ' ' }, [], 'error'],
    ['a session that is not there', 2, {}, ['--session', '9'], 'error'],
  ])(
    'with --json says %s in the last line as well',
    async (_, code, message: { readonly text?: string }, more, ending) => {
      const argv = ['--exec', message.text ?? 'a', '--json', ...more];
      const talking = talk(() => ({ fails: { kind: 'auth_failed' } }), { argv, isTerminal: false });
      expect(await talking.ended).toBe(code);
      const last = JSON.parse(talking.terminal.stdout.text().trimEnd().split('\n').at(-1) ?? '');
      expect(last).toMatchObject({ type: 'result', exitCode: code, ending });
      if (code === 7) expect(last.resume).toBe('agent chat --session 1');
      else expect(last).toMatchObject({ run: null, error: { code: 'E_USAGE' } });
    },
  );

  test("names a server of the project's file that nobody agreed to, and leaves it out", async () => {
    const folder = chatFolder();
    const servers = { mcpServers: { files: { command: 'no-such-server' } } };
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify(servers));
    const talking = talk(() => 'Hello.', { folder, argv: ['--exec', 'Hi'], isTerminal: false });
    expect(await talking.ended).toBe(0);
    expect(talking.terminal.stderr.text()).toContain(
      "The MCP server files of the project's .mcp.json is left out: you have not approved it.",
    );
  });

  test('tells the model what it is by a file, or in words', async () => {
    const folder = chatFolder();
    writeFileSync(join(folder, 'persona.md'), 'You are a pirate.\n');
    for (const [system, words] of [
      ['persona.md', 'You are a pirate.'],
      ['You are a poet.', 'You are a poet.'],
    ] as const) {
      const argv = ['--exec', 'Hi', '--system', system, '--temp', '0.5'];
      const talking = talk(() => 'Aye.', { folder, argv, isTerminal: false });
      expect(await talking.ended).toBe(0);
      const [request] = talking.model.requests;
      expect(request?.messages[0]?.content).toContain(`<identity>\n${words}\n</identity>`);
      expect(request?.temperature).toBe(0.5);
    }
  });

  test('begins with messages of a file, and writes the conversation down', async () => {
    const folder = chatFolder();
    const saved = join(folder, 'talk.jsonl');
    const say = (text: string, ...more: string[]) =>
      talk((request) => `${request.messages.length}`, {
        ...{ folder, argv: ['--exec', text, '--save', saved, ...more], isTerminal: false },
      });
    expect(await say('One').ended).toBe(0);
    const wide = join(folder, 'wide.jsonl');
    writeFileSync(wide, `\ufeff${readFileSync(saved, 'utf8')}`, 'utf16le');
    const second = say('Two', '--load', wide);
    expect(await second.ended).toBe(0);
    expect(second.terminal.stdout.text()).toBe('4\n');
    const contents = readFileSync(saved, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).content);
    expect(contents).toEqual([undefined, 'One', '2', 'Two', '4']);
  });

  test('begins with messages of a file where an earlier start of that name failed', async () => {
    const folder = chatFolder();
    const say = (text: string, ...more: string[]) =>
      talk((request) => `${request.messages.length}`, {
        ...{ folder, argv: ['--exec', text, ...more], isTerminal: false },
      });
    const saved = join(folder, 'talk.jsonl');
    expect(await say('One', '--session', 'x', '--save', saved).ended).toBe(0);
    const sessions = join(folder, '.agent_context', 'sessions');
    const [id = ''] = readdirSync(sessions);
    const journal = join(sessions, id, 'history.jsonl');
    const records = readFileSync(journal, 'utf8').split('\n');
    const begun = records.slice(
      0,
      records.findIndex((line) => line.includes('"person_said"')),
    );
    writeFileSync(journal, `${begun.join('\n')}\n`);
    rmSync(join(sessions, id, 'state.json'), { force: true });
    const second = say('Two', '--session', 'x', '--load', saved);
    expect(await second.ended).toBe(0);
    expect(second.terminal.stdout.text()).toBe('4\n');
    const third = say('Three', '--session', 'x', '--load', saved);
    expect(await third.ended).toBe(2);
    expect(third.terminal.stderr.text()).toContain('has already begun');
  });

  test('of a damaged conversation says how what is good of it goes on, and so it does', async () => {
    const folder = chatFolder();
    const say = (...words: string[]) =>
      talk((request) => `${request.messages.length}`, {
        ...{ folder, argv: words, isTerminal: false },
      });
    expect(await say('--exec', 'One', '--session', 'a').ended).toBe(0);
    const sessions = join(folder, '.agent_context', 'sessions');
    const [id = ''] = readdirSync(sessions);
    const journal = join(sessions, id, 'history.jsonl');
    const records = readFileSync(journal, 'utf8');
    writeFileSync(journal, records.replace(/"message_ended"/, '"massage_ended"'));
    const refused = say('--exec', 'Two', '--session', 'a');
    expect(await refused.ended).toBe(8);
    const command = `(agent export ${id}).`;
    expect(refused.terminal.stderr.text()).toContain(command);
    expect(refused.terminal.stderr.text()).not.toContain('agent repair');
    const exported = say('export', id);
    expect(await exported.ended).toBe(8);
    writeFileSync(join(folder, 'saved.jsonl'), exported.terminal.stdout.text());
    const next = say('--exec', 'Two', '--load', 'saved.jsonl');
    expect(await next.ended).toBe(0);
    expect(next.terminal.stdout.text()).toBe('4\n');
  });

  test('writes a first AGENTS.md where it is asked to, and never over one', async () => {
    const argv = ['--exec', 'Hi', '--init'];
    const talking = talk(() => 'Hello.', { argv, isTerminal: false });
    expect(await talking.ended).toBe(0);
    const file = join(talking.folder, 'AGENTS.md');
    expect(talking.model.requests[0]?.messages[0]?.content).toContain('What an agent should know');
    writeFileSync(file, 'Mine.\n');
    await talk(() => 'Hello.', { folder: talking.folder, argv, isTerminal: false }).ended;
    expect(readFileSync(file, 'utf8')).toBe('Mine.\n');
  });

  test('gets the servers of tools of the settings, and says which one is not there', async () => {
    const folder = chatFolder();
    const config = join(chatFolder(), 'config.json');
    const mcpServers = { parts: { command: join(folder, 'no-such-program') } };
    writeFileSync(config, JSON.stringify({ mcpServers }));
    const argv = ['--exec', 'Hi', '--config', config];
    const talking = talk(() => 'Hello.', { folder, argv, isTerminal: false });
    expect(await talking.ended).toBe(0);
    expect(talking.terminal.stderr.text()).toMatch(/parts/);
  });

  test('is bounded in its turns and its attempts', async () => {
    const look = () => ({ calls: [{ name: 'list_dir', args: {} }] });
    const turns = talk(look, { argv: ['--exec', 'a', '--max-turns', '2'], isTerminal: false });
    expect(await turns.ended).toBe(4);
    expect(turns.model.requests).toHaveLength(2);
    const dead = () => ({ fails: { kind: 'network_error' as const, retryable: true } });
    const argv = ['--exec', 'a', '--max-retries', '1'];
    const tries = talk(dead, { argv, isTerminal: false });
    expect(await tries.ended).toBe(7);
    expect(tries.model.requests).toHaveLength(1);
  });

  test.each([
    ['--load', 'no-such.jsonl', /cannot be read/],
    ['--load', 'notes.txt', /not messages of a conversation/],
    ['--save', 'notes.txt', /holds no conversation/],
    ['--save', 'below.txt', /holds no conversation/],
    ['--save', join('no', 'folder.jsonl'), /does not exist/],
    ['--system', 'no-such.md', /cannot be read/],
  ])('refuses %s %s before a model is asked', async (option, file, why) => {
    const folder = chatFolder();
    const notes = { 'notes.txt': 'My notes.\n', 'below.txt': '\nMy notes.\n' };
    for (const [name, text] of Object.entries(notes)) writeFileSync(join(folder, name), text);
    const argv = ['--exec', 'Hi', option, file];
    const talking = talk(() => 'Hello.', { folder, argv, isTerminal: false });
    expect(await talking.ended).toBe(2);
    expect(talking.terminal.stderr.text()).toMatch(why);
    expect(talking.model.requests).toEqual([]);
    for (const [name, text] of Object.entries(notes))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  });

  test.skipIf(process.platform === 'win32')('reads no more than it can use', async () => {
    const argv = ['--exec', 'Hi', '--load', '/dev/zero'];
    const talking = talk(() => 'Hello.', { argv, isTerminal: false });
    expect(await talking.ended).toBe(2);
    expect(talking.terminal.stderr.text()).toContain('has more than 64 MB');
  });

  test('reads what it is given before it listens to Ctrl+C: a pipe may have no other end', async () => {
    const argv = ['--exec', 'Hi', '--load', 'no-such.jsonl'];
    const heard: string[] = [];
    const onSignal = (name: string) => {
      heard.push(name);
      return () => {};
    };
    const terminal = { onSignal };
    const talking = talk(() => 'Hello.', { argv, isTerminal: false, terminal });
    expect(await talking.ended).toBe(2);
    expect(heard).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('saves over no pipe, and waits for none', async () => {
    const folder = chatFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const argv = ['--exec', 'Hi', '--save', 'pipe'];
    const talking = talk(() => 'Hello.', { folder, argv, isTerminal: false });
    expect(await talking.ended).toBe(2);
    expect(talking.terminal.stderr.text()).toMatch(/holds no conversation/);
  });

  test('looks for the sandbox that it is asked for', async () => {
    const argv = ['--exec', 'What?', '--sandbox', 'auto'];
    const talking = talk(() => 'Forty-two.', { argv, isTerminal: false });
    expect(await talking.ended).toBe(0);
    const root = join(talking.folder, '.agent_context');
    const journals = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'history.jsonl')
      .map((path) => readFileSync(join(root, path), 'utf8'));
    expect(journals.join('')).toContain('"type":"sandbox_looked","mode":"auto"');
  });

  test('reads the message from stdin where it is -', async () => {
    const talking = talk((request) => lastOf(request), {
      argv: ['--exec', '-'],
      isTerminal: false,
      input: 'from stdin\nand more\n',
    });
    expect(await talking.ended).toBe(0);
    expect(talking.terminal.stdout.text()).toBe('from stdin\nand more\n');
  });

  test.each([
    ['4 where the turns are used up', 4, () => ({ calls: [{ name: 'list_dir', args: {} }] })],
    ['4 where the prompt does not fit', 4, () => ({ fails: { kind: 'context_overflow' } })],
    [
      '6 where nobody can be asked',
      6,
      (_: unknown, n: number) => (n === 1 ? write('.github/a.yml', 'a') : 'No.'),
    ],
    ['7 where the provider refuses the key', 7, () => ({ fails: { kind: 'auth_failed' } })],
  ] as const)('ends with %s, and says how to go on', async (_, code, script) => {
    const talking = talk(script as never, { argv: ['--exec', 'Do it'], isTerminal: false });
    expect(await talking.ended).toBe(code);
    const next = code === 6 ? "--exec 'Do it' --session 1 --allow" : 'chat --session 1\n';
    expect(talking.terminal.stderr.text()).toContain(`Continue: agent ${next}`);
  });

  test('the command that it names where a yes was missing does what was refused', async () => {
    const script = (request: Parameters<typeof lastOf>[0]) =>
      lastOf(request) === 'Do it' ? write('.github/a.yml', 'a') : 'Done.';
    const refused = talk(script, { argv: ['--exec', 'Do it'], isTerminal: false });
    expect(await refused.ended).toBe(6);
    const { folder } = refused;
    const typed = /Continue: agent (.*)\n/.exec(refused.terminal.stderr.text())?.[1] ?? '';
    const argv = splitCommand(typed, 'linux');
    if (!argv.ok) throw new Error(argv.reason);
    const again = talk(script, { folder, argv: [argv.program, ...argv.args], isTerminal: false });
    expect(await again.ended).toBe(0);
    expect(readFileSync(join(folder, '.github/a.yml'), 'utf8')).toBe('a');
  });

  test('has no limit of calls a reply unless it is given one', async () => {
    const calls = Array.from({ length: 8 }, (_, n) => write(`${n}.txt`, 'x').calls[0] as never);
    const script = (_: unknown, n: number) => (n === 1 ? { calls } : 'Done.');
    const all = talk(script, { argv: ['--exec', 'Do it'], isTerminal: false });
    await all.ended;
    expect(existsSync(join(all.folder, '7.txt'))).toBe(true);
    const argv = ['--exec', 'Do it', '--max-tool-calls', '3'];
    const some = talk(script, { argv, isTerminal: false });
    await some.ended;
    expect(existsSync(join(some.folder, '2.txt'))).toBe(true);
    expect(existsSync(join(some.folder, '3.txt'))).toBe(false);
  });

  test.each([
    [['--exec', '  ']],
    [['--exec', 'a', '--max-tool-calls', '0']],
    [['export']],
    [['export', 'nothing']],
    [['export', '1', '--format', 'odd']],
    [['chat', 'a goal']],
    [['chat', '--json']],
  ])('refuses %j with 2 and the next step', async (argv) => {
    const talking = talk(() => 'Hello.', { argv, isTerminal: false });
    expect(await talking.ended).toBe(2);
    expect(talking.terminal.stderr.text()).toMatch(/Next: \S/);
  });
});

test('agent sessions and agent export tell of what was said', async () => {
  const talking = talk(
    (_, n) => (n === 1 ? { text: 'I write.', ...write('a.txt', 'x') } : 'Done.'),
    {
      argv: ['--exec', 'Write it', '--session', 'mine'],
      isTerminal: false,
    },
  );
  await talking.ended;
  const { folder } = talking;
  const listed = talk(() => '', { folder, argv: ['sessions'], isTerminal: false });
  expect(await listed.ended).toBe(0);
  expect(listed.terminal.stdout.text()).toMatch(/^ {2}1 {2}.* ago {2,}mine {2}"Write it"\n$/);
  const exported = talk(() => '', { folder, argv: ['export', 'mine'], isTerminal: false });
  expect(await exported.ended).toBe(0);
  const lines = exported.terminal.stdout
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ type, role, content }) => [type, role, content])).toEqual([
    ['session', undefined, undefined],
    ['message', 'user', 'Write it'],
    ['message', 'assistant', 'I write.'],
    ['message', 'tool', 'Wrote 1 chars to a.txt'],
    ['message', 'assistant', 'Done.'],
  ]);
  expect(lines[2].meta.contentBlocks).toEqual([
    { type: 'text', text: 'I write.' },
    {
      type: 'toolCall',
      id: 'c2_0',
      name: 'write_file',
      arguments: { path: 'a.txt', content: 'x' },
    },
  ]);
  const argv = ['export', 'mine', '--format', 'events'];
  const asEvents = talk(() => '', { folder, argv, isTerminal: false });
  expect(await asEvents.ended).toBe(0);
  const events = asEvents.terminal.stdout
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ event, turn, tool_name }) => [event, turn, tool_name])).toEqual([
    ['session_start', 0, null],
    ['user_message', 0, null],
    ['assistant_message', 1, null],
    ['tool_call', 1, 'write_file'],
    ['tool_result', 1, 'write_file'],
    ['assistant_message', 2, null],
  ]);
  for (const event of events) {
    expect(Object.keys(event)).toHaveLength(15);
    expect(event.latency_ms).toBeNull();
    expect(event.session_id).toBe(lines[0].session);
  }
  expect(events[3].input).toEqual({ path: 'a.txt', content: 'x' });
  expect(events[4].output).toBe('Wrote 1 chars to a.txt');
  const none = talk(() => '', { argv: ['sessions'], isTerminal: false });
  expect(await none.ended).toBe(0);
  expect(none.all()).toContain('Next: agent chat');
});
