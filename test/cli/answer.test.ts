import { expect, it, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { INSIDE_A_RUN } from '../../src/processes/environment.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

it.each(['approve', 'deny'])('a program that a run has started cannot %s a call', async (verb) => {
  const answer = vi.fn(() => ({ how: 'journalled' as const }));
  const request = { id: 'ab12'.repeat(8), tool: 'run_cmd', target: 'git push', rules: [] };
  const engine = { ...fakeEngine({}), openPermissionRequests: () => [request as never], answer };
  const said = async (env: { readonly [name: string]: string }) => {
    const terminal = fakeTerminal({ env: { NO_COLOR: '1', ...env } });
    return [
      await main([verb, 'ab12'], terminal, () => Promise.resolve(engine)),
      terminal.stderr.text(),
    ];
  };
  expect(await said({ [INSIDE_A_RUN]: '1' })).toEqual([
    2,
    expect.stringContaining('cannot answer for a person'),
  ]);
  expect(answer).not.toHaveBeenCalled();
  expect(await said({})).toEqual([0, '']);
  expect(answer).toHaveBeenCalledOnce();
});

it('a call of a server is said by its server, when it is answered and when it has to be named', async () => {
  const call = { tool: 'mcp__files__read_text', target: 'files.read_text', rules: [] };
  const open = ['a', 'b'].map((letter) => ({ ...call, id: letter.repeat(32) }) as never);
  const engine = {
    ...fakeEngine({}),
    openPermissionRequests: () => open,
    answer: () => ({ how: 'journalled' as const }),
  };
  const terminal = fakeTerminal({ env: { NO_COLOR: '1' } });
  const say = (...words: string[]) => main(words, terminal, () => Promise.resolve(engine));
  expect(await say('approve', 'aaaa')).toBe(0);
  expect(terminal.stdout.text()).toContain('Allowed: files.read_text\n');
  expect(await say('approve')).toBe(2);
  expect(terminal.stderr.text()).toContain(
    'Name one: agent approve aaaaaaaa (files.read_text), agent approve bbbbbbbb (files.read_text)\n',
  );
});
