import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatFolder, talk } from './talking.ts';

describe('the logs of agent --exec', () => {
  test('logs on stderr and to files, and stdout is the answer alone', async () => {
    const folder = chatFolder();
    const log = join(folder, 'events.jsonl');
    const costs = join(folder, 'costs.jsonl');
    const argv = ['--exec', 'What?', '--verbose', '--log', log, '--accounting', costs];
    const talking = talk(() => 'Forty-two.', { folder, argv, isTerminal: false });
    expect(await talking.ended).toBe(0);
    expect(talking.terminal.stdout.text()).toBe('Forty-two.\n');
    expect(talking.terminal.stderr.text()).toMatch(/^\[VRB\] \S+ \[1\.0\] llm \S+: messages 2/m);
    const lines = (file: string) =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(lines(log).map(({ event }) => event)).toEqual([
      'session_start',
      'user_message',
      'assistant_message',
    ]);
    expect(lines(costs).map(({ type }) => type)).toEqual(['llm']);
  });

  test('its logs are nobody’s change, whatever is run beside them', async () => {
    const folder = chatFolder();
    const files = [
      '--log',
      join(folder, 'events.jsonl'),
      '--accounting',
      join(folder, 'acc.jsonl'),
    ];
    const call = { name: 'run_cmd', args: { cmd: 'git --version' } };
    const talking = talk((_, n) => (n === 1 ? { calls: [call] } : 'Done.'), {
      ...{ folder, argv: ['--exec', 'What?', '--yes', ...files], isTerminal: false },
    });
    expect(await talking.ended).toBe(0);
    expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toContain('git --version');
    expect(talking.terminal.stderr.text()).not.toContain('changed by it');
    const root = join(folder, '.agent_context');
    const journals = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('history.jsonl'))
      .map((name) => readFileSync(join(root, name), 'utf8'));
    expect(journals.join()).toContain('action_finished');
    expect(journals.join()).not.toContain('files_changed');
  });

  test.each([
    ['--log', join('no', 'folder', 'a.jsonl')],
    ['--sandbox', 'odd'],
  ])('refuses %s %s before a model is asked', async (...words) => {
    const argv = ['--exec', 'What?', ...words];
    const talking = talk(() => 'Hello.', { argv, isTerminal: false });
    expect(await talking.ended).toBe(2);
    expect(talking.model.requests).toEqual([]);
  });
});
