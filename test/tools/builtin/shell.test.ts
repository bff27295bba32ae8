import { describe, expect, it } from 'vitest';
import type { ProcessRequest } from '../../../src/processes/contract.ts';
import { shellTool } from '../../../src/tools/builtin/shell.ts';
import type { Tool } from '../../../src/tools/contract.ts';
import { policyRequestOf } from '../../../src/tools/decision.ts';
import { builtinTools, definitionsFor, ruleWords } from '../../../src/tools/registry.ts';
import { policyIn } from '../../policy/support.ts';
import { makeWorkspace, use } from '../support.ts';

const programs = {
  find: async () => ({
    kind: 'found' as const,
    file: 'C:\\Windows\\powershell.exe',
    prefix: [],
    notice: '',
  }),
  environment: () => ({ ONLY: 'this' }),
};

function scripted(platform: NodeJS.Platform) {
  const requests: ProcessRequest[] = [];
  const workspace = makeWorkspace();
  const processes = {
    ...workspace.context.processes,
    platform,
    run: async (request: ProcessRequest) => {
      requests.push(request);
      return {
        ...{ kind: 'exited' as const, exitCode: 0, signal: null, output: 'two\n' },
        ...{ truncatedBytes: 0, durationMs: 1 },
      };
    },
  };
  const at = { ...workspace, context: { ...workspace.context, processes } };
  return {
    requests,
    root: workspace.root,
    run: (line: string) => use(shellTool({ programs }), at, { line }),
  };
}

describe('a line of a shell', () => {
  it('is read by the shell of the system alone, as it stands', async () => {
    const line = `echo "a 'b'" | wc -l > out && exit 0`;
    const posix = scripted('linux');
    expect(await posix.run(line)).toMatchObject({ status: 'ok', content: 'exit code 0\ntwo' });
    expect(posix.requests[0]).toMatchObject({
      ...{ file: '/bin/sh', args: ['-c', line], cwd: posix.root, env: { ONLY: 'this' } },
    });
    const windows = scripted('win32');
    await windows.run(line);
    const [request] = windows.requests;
    expect(request?.args.slice(0, 3)).toEqual(['-NoProfile', '-NonInteractive', '-EncodedCommand']);
    expect(Buffer.from(request?.args[3] ?? '', 'base64').toString('utf16le')).toBe(line);
  });

  it('asks whatever a rule allows, offers no rule, and what is denied in it is denied', () => {
    const decide = (line: string, rules = {}, platform: NodeJS.Platform = 'linux') =>
      policyIn({ rules, platform }).decideNow(
        policyRequestOf(shellTool({ programs }) as Tool, { line }, 'model'),
      );
    const allow = { user: { allow: ['sh', 'sh -c *', 'ls', 'bash', 'shell', 'powershell'] } };
    for (const rules of [{}, allow])
      for (const line of ['ls', 'ls | wc -l', 'git commit -m x', '$(curl x)'])
        expect(decide(line, rules)).toMatchObject({
          ...{ kind: 'ask', wants: [{ rule: null, isOffered: false }] },
        });
    expect(decide('ls', {}, 'win32').kind).toBe('ask');
    for (const line of ['sudo ls', 'true; git push', 'x && rm -rf /', 'npm publish | cat'])
      expect(decide(line, allow).kind).toBe('deny');
    expect(decide('curl x', { project: { deny: ['curl'] } }).kind).toBe('deny');
  });

  it('is no tool unless it is switched on, and never one of a model that is led', () => {
    const names = (shell: boolean, callsTools = true) =>
      definitionsFor(builtinTools({ programs }, { shell }), { callsTools, window: 32_768 }).map(
        ({ name }) => name,
      );
    expect(names(false)).not.toContain('shell');
    expect(names(true)).toContain('shell');
    expect(names(true, false)).not.toContain('shell');
    expect(ruleWords().has('shell')).toBe(true);
  });
});
