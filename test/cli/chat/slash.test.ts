import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { achieved, paused, runState } from '../support.ts';
import { chatFolder, lastOf, left, ready, talk, write } from './talking.ts';

describe('a word behind a slash', () => {
  test('that is no command is said and not sent; a path is text', async () => {
    const talking = await ready((request) => `heard ${lastOf(request)}`);
    talking.say('/nope what');
    await talking.sees('There is no command /nope, and nothing was sent. All commands: /help');
    talking.say('/etc/hosts what is it');
    await talking.sees('heard /etc/hosts what is it');
    await left(talking);
    expect(talking.model.requests).toHaveLength(1);
  });

  test('that is nearly one names it', async () => {
    const talking = await ready(() => 'Hello.');
    talking.say('/stauts now');
    await talking.sees('Did you mean /status?');
    talking.say('/exit');
    expect(await talking.ended).toBe(0);
  });

  test('/compact has the model sum up all but the last exchange, and the next request says so', async () => {
    const talking = await ready((request) =>
      request.tools === undefined || request.tools.length === 0
        ? 'They counted to two.'
        : `heard ${lastOf(request)}`,
    );
    talking.say('/compact');
    await talking.sees('There is nothing to sum up yet.');
    for (const word of ['one', 'two', 'three']) {
      talking.say(word);
      await talking.sees(`heard ${word}`);
    }
    talking.say('/compact');
    await talking.sees('Summed up: about');
    talking.say('four');
    await talking.sees('heard four');
    await left(talking);
    const told = talking.model.requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join('\n');
    expect(told).toContain('They counted to two.');
    expect(told).not.toContain('heard one');
    expect(told).toContain('heard three');
  });

  test('/compact keeps the whole last exchange where it had calls', async () => {
    const talking = await ready((request) => {
      if (request.tools === undefined || request.tools.length === 0) return 'They said one.';
      const isAsked = request.messages.at(-1)?.content === 'two';
      return isAsked ? { calls: [{ name: 'list_dir', args: { path: '.' } }] } : 'heard it';
    });
    for (const word of ['one', 'two']) {
      talking.say(word);
      await talking.sees(`heard it`);
    }
    talking.say('/compact');
    await talking.sees('Summed up: about');
    talking.say('three');
    await left(talking);
    const told = talking.model.requests.at(-1)?.messages ?? [];
    expect(told.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    expect(told[2]?.content).toBe('two');
  });

  test('a command about runs names the conversations of a folder that has no run', async () => {
    const talking = await ready(() => 'Hello.');
    talking.say('Hi');
    await talking.sees('Hello.');
    await left(talking);
    const listing = talk(() => '', { folder: talking.folder, argv: ['runs'], isTerminal: false });
    expect(await listing.ended).toBe(0);
    expect(listing.all()).toContain(
      'There is no run in this folder yet. Its conversations: agent sessions',
    );
  });

  test('/status and /cost say how it stands', async () => {
    const talking = await ready(() => 'Hello.');
    talking.say('Hi');
    await talking.sees('Hello.');
    talking.say('/status');
    await talking.sees(`folder   ${talking.folder}`);
    await talking.sees('changed  no file');
    talking.say('/cost');
    await talking.sees('of the model');
    await left(talking);
    expect(talking.all()).not.toContain('count apart');
  });

  test('/cost says that it counts no run of the folder', async () => {
    const folder = chatFolder();
    const run = talk(() => 'It is so.', { folder, argv: ['Is it so?'], isTerminal: false });
    await run.ended;
    const talking = await ready(() => 'Hello.', { folder });
    talking.say('/cost');
    await talking.sees('of the model; runs of /goal count apart');
    await left(talking);
  });

  test('is a tool_result of the log, and behind /clear the log goes on in a file of its own', async () => {
    const folder = chatFolder();
    const log = join(folder, 'events.jsonl');
    const talking = await ready(() => 'Hello.', { folder, argv: ['chat', '--log', log] });
    talking.say('/memory use tabs');
    await talking.sees('Remembered in AGENT.md');
    talking.say('/clear');
    await talking.sees('A new conversation has begun');
    talking.say('Hi');
    await talking.sees('Hello.');
    await left(talking);
    const eventsIn = (file: string) =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const [first, second] = [eventsIn(log), eventsIn(`${log}.2`)];
    expect(first.map(({ event }) => event)).toEqual([
      ...['session_start', 'tool_result', 'session_clear'],
    ]);
    expect(first[1]).toMatchObject({
      ...{ actor: 'tool', tool_name: '/memory', input: 'use tabs' },
      output: 'Remembered in AGENT.md; it counts from the next session on.',
    });
    expect(second[0]).toMatchObject({ event: 'session_start' });
    expect(second.map(({ event }) => event)).toContain('assistant_message');
    expect(second[0].session_id).not.toBe(first[0].session_id);
  });

  test('/help names every command', async () => {
    const talking = await ready(() => 'Hello.');
    talking.say('/help');
    for (const name of 'goal plan model undo diff approve tools memory commit clear help quit'.split(
      ' ',
    ))
      await talking.sees(new RegExp(`^/${name} `, 'm'));
    await left(talking);
  });

  test('in a narrow window help and answers are folded between words', async () => {
    const talking = await ready(() => 'The folder holds a small list of things to do.');
    talking.terminal.stdout.resize(40, 24);
    talking.say('/help');
    await talking.sees(
      '\n/undo            put back what the last\n                 message changed in',
    );
    talking.say('what is here?');
    await talking.sees('The folder holds a small list of things\nto do.\n');
    await left(talking);
  });

  test('/memory appends exactly one line to AGENT.md, and never glues it to another', async () => {
    const talking = await ready(() => 'Hello.');
    const file = join(talking.folder, 'AGENT.md');
    talking.say('/memory use tabs');
    await talking.sees('Remembered in AGENT.md; it counts from the next session on.');
    expect(readFileSync(file, 'utf8')).toBe('* use tabs\n');
    writeFileSync(file, 'no end of line');
    talking.say('/memory   and  spaces ');
    await talking.sees(/Remembered[\s\S]*Remembered/);
    expect(readFileSync(file, 'utf8')).toBe('no end of line\n* and  spaces\n');
    writeFileSync(file, `${'x'.repeat(70_000)}\n`);
    talking.say('/memory more');
    await talking.sees('AGENT.md is longer than 64 KB');
    talking.say('/memory');
    await talking.sees('There is nothing to remember.');
    await left(talking);
  });

  test('/memory is told in the next session, beside AGENTS.md', async () => {
    const talking = await ready(() => 'Hello.', { argv: ['chat', '--init'] });
    talking.say('/memory my name is Ada-xyzzy');
    await talking.sees('Remembered in AGENT.md; it counts from the next session on.');
    await left(talking);
    const { folder } = talking;
    const next = await ready(() => 'Hello.', { folder });
    next.say('hi');
    await next.sees('Hello.');
    expect(next.model.requests[0]?.messages[0]?.content).toContain('* my name is Ada-xyzzy');
    await left(next);
  });

  test('/memory says where the model is not told of it', async () => {
    const talking = await ready(() => 'Hello.', { argv: ['chat', '--no-instructions'] });
    talking.say('/memory use tabs');
    await talking.sees('the model does not read that file here.');
    await left(talking);
  });

  test('of a long memory the last line is told, and the screen says that it is cut', async () => {
    const folder = chatFolder();
    writeFileSync(join(folder, 'AGENT.md'), `${'* an old line\n'.repeat(5_000)}* the last line\n`);
    const talking = await ready(() => 'Hello.', { folder });
    talking.say('hi');
    await talking.sees('Hello.');
    const prompt = talking.model.requests[0]?.messages[0]?.content ?? '';
    expect(prompt).toContain('[cut: 70016 bytes in the file]');
    expect(prompt).toContain('* the last line');
    expect(talking.terminal.stderr.text()).toContain('AGENT.md (70016 bytes) is too long');
    await left(talking);
  });

  test('/memory is held back by a rule that denies it', async () => {
    const talking = await ready(() => 'Hello.', { argv: ['chat', '--deny', 'edit(AGENT.md)'] });
    talking.say('/memory use tabs');
    await talking.sees('A rule of yours or of the');
    expect(existsSync(join(talking.folder, 'AGENT.md'))).toBe(false);
    await left(talking);
  });

  test('/commit adds all and commits with the words as they are; nothing to commit is no error', async () => {
    const folder = chatFolder();
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    git('init', '-q');
    git('config', 'user.email', 'a@b.c');
    git('config', 'user.name', 'A');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    writeFileSync(join(folder, '.gitignore'), '.agent_context/\n');
    const talking = await ready(() => 'Hello.', { folder });
    talking.say('/commit say "hi" && $(rm -rf x)');
    await talking.sees('2 files changed');
    expect(git('log', '--format=%s')).toBe('say "hi" && $(rm -rf x)\n');
    talking.say('/commit again');
    await talking.sees('Nothing to commit.');
    talking.say('/commit');
    await talking.sees('A commit needs a message.');
    await left(talking);
  });

  test('/undo and /diff are about what the conversation changed', async () => {
    const folder = chatFolder();
    const talking = await ready((_, n) => (n === 1 ? write('a.txt', 'one\n') : 'Done.'), {
      folder,
    });
    talking.say('/undo');
    await talking.sees('There is nothing left to undo.');
    talking.say('Write it');
    await talking.sees('Done.');
    talking.say('/diff');
    await talking.sees('a.txt (new, 1 line)');
    await talking.sees('+one');
    talking.say('/undo');
    await talking.sees('removed: a.txt');
    talking.say('/diff');
    await talking.sees('The conversation has changed no file.');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    await left(talking);
  });

  test('/clear begins a new conversation and keeps the one before', async () => {
    const talking = await ready((request) => `messages: ${request.messages.length}`, {
      argv: ['chat', '--session', 'mine'],
    });
    talking.say('one');
    await talking.sees('messages: 2');
    talking.say('/clear');
    await talking.sees('A new conversation has begun');
    talking.say('two');
    await talking.sees(/messages: 2[\s\S]*messages: 2/);
    await left(talking);
    const listed = talk(() => '', { folder: talking.folder, argv: ['sessions', '--json'] });
    expect(await listed.ended).toBe(0);
    const { sessions } = JSON.parse(listed.terminal.stdout.text());
    expect(
      sessions.map(({ name, status, number }: Record<string, unknown>) => [name, status, number]),
    ).toEqual([
      ['mine', 'open', 2],
      ['mine', 'cleared', 1],
    ]);
  });

  test('/model shows the model and goes on with another, with the same conversation', async () => {
    const talking = await ready((request) => `${request.model}: ${request.messages.length}`);
    talking.say('one');
    await talking.sees(/: 2/);
    talking.say('/model');
    await talking.sees('scripted scripted:1b, window');
    talking.say('/model openai/other');
    await talking.sees('Continuing with');
    talking.say('two');
    await talking.sees(/: 4/);
    await left(talking);
  });

  test('/tools lists what the model may call, /approve allows a rule', async () => {
    const talking = await ready((_, n) =>
      n === 1 ? write('.github/ci.yml', 'on: push\n') : 'Done.',
    );
    talking.say('/tools');
    await talking.sees('read_file: ');
    expect(talking.all()).not.toContain('set_plan');
    talking.say('/approve');
    await talking.sees('Nothing waits for a yes.');
    talking.say('/approve edit(.github/**)');
    await talking.sees('Allowed in this session: edit(.github/**)');
    talking.say('/approve nonsense(');
    await talking.sees('nonsense(');
    talking.say('Write it');
    await talking.sees('Done.');
    expect(existsSync(join(talking.folder, '.github/ci.yml'))).toBe(true);
    await left(talking);
  });

  test('/goal starts a run here and tells the model what became of it; /plan shows its plan', async () => {
    const told = runState({ ended: { ending: 'achieved', detail: 'the proof passed' } });
    const goals: (string | null)[] = [];
    const talking = await ready((request) => `told: ${request.messages.at(-2)?.content ?? ''}`, {
      engine: (engine) => ({
        ...engine,
        runGoal: async (request) => {
          goals.push(request.goal);
          return achieved();
        },
        beliefIn: () => ({ kind: 'none' }),
        readRun: () => told,
        listRuns: () => [],
      }),
    });
    talking.say('/goal Write a hello world script');
    talking.say('Well?');
    await talking.sees('told: The user let run  work on the goal "Write a hello world script"');
    expect(goals).toEqual(['Write a hello world script']);
    talking.say('/goal');
    await talking.sees('Say what should be done: /goal GOAL');
    talking.say('/plan');
    await talking.sees('1.2');
    await left(talking);
  });

  test('/undo with nothing of the conversation names the command for the last run', async () => {
    const run = { number: 7, isCurrent: true, status: 'ended' };
    const talking = await ready(() => 'Fine.', {
      engine: (engine) => ({ ...engine, listRuns: () => [run as never] }),
    });
    talking.say('/undo');
    await talking.sees('There is nothing left to undo.');
    await talking.sees('What the last run changed: agent undo 7');
    await left(talking);
  });

  test('a run that a /goal left paused goes on with /goal alone', async () => {
    const goals: (string | null)[] = [];
    const talking = await ready(() => 'Fine.', {
      engine: (engine) => ({
        ...engine,
        runGoal: async (request) => {
          goals.push(request.goal);
          return paused('interrupted');
        },
        beliefIn: () => ({ kind: 'own', state: paused('interrupted').state }),
        readRun: () => runState({ paused: { why: 'interrupted', detail: 'stopped' } }),
        listRuns: () => [],
      }),
    });
    talking.say('/goal Write a hello world script');
    await talking.sees('Continue here: /goal\n');
    talking.say('/goal');
    await talking.sees(/Continue here: \/goal\n[\s\S]*Continue here: \/goal\n/);
    expect(goals).toEqual(['Write a hello world script', null]);
    await left(talking);
  });

  test('so does one that a kill cut off', async () => {
    const goals: (string | null)[] = [];
    const cut = runState({ ended: null, paused: null });
    const talking = await ready(() => 'Fine.', {
      engine: (engine) => ({
        ...engine,
        runGoal: async (request) => {
          goals.push(request.goal);
          return achieved();
        },
        beliefIn: () => ({ kind: 'own', state: cut }),
        lockOwner: () => null,
        readRun: () => cut,
        listRuns: () => [],
      }),
    });
    talking.say('/goal');
    talking.say('Well?');
    await talking.sees('Fine.');
    expect(goals).toEqual([null]);
    await left(talking);
  });
});
