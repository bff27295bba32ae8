import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../src/languages/commands/programs.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { systemProcesses } from '../../src/processes/system-processes.ts';
import { runCmdTool } from '../../src/tools/builtin/run-cmd.ts';
import { refusedVariables } from '../../src/tools/commands/variables.ts';
import { commandResult } from '../../src/tools/public-status.ts';
import { makeWorkspace, use } from './support.ts';

describe('a variable for a program', () => {
  it.each([
    'DEBUG',
    'CI',
    'PORT',
    'NODE_ENV',
    'APP_MODE',
    'TEST_DATABASE',
    'SERVER_PORT',
    'LC_ALL',
  ])('%s may be given', (name) => expect(refusedVariables({ [name]: 'x' })).toBeNull());

  it.each([
    ...['PATH', 'Path', 'path', 'NODE_OPTIONS', 'NODE_PATH', 'LD_PRELOAD', 'LD_DEBUG'],
    ...[
      'DYLD_INSERT_LIBRARIES',
      'GIT_DIR',
      'GIT_SSH_COMMAND',
      'GIT_CONFIG_COUNT',
      'BASH_ENV',
      'ENV',
    ],
    ...['PYTHONSTARTUP', 'PYTHONPATH', 'PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS', 'HOME', 'IFS'],
    ...['npm_config_script_shell', 'HTTPS_PROXY', 'http_proxy', 'OPENAI_API_KEY', 'APP_API_KEY'],
    ...['PAGER', 'EDITOR', 'LESSOPEN', 'TMPDIR', 'XDG_CONFIG_HOME', 'CARGO_HOME', 'GOFLAGS', 'CC'],
    ...['APP_PRELOAD', 'debug', '', '=', 'A=B', 'A B', '1A', 'A\0', '__proto__', 'x'.repeat(1000)],
  ])('%j may not, and it is said', (name) => {
    const env = Object.fromEntries([[name, 'x']]);
    expect(refusedVariables(env)).toMatch(/is not given to programs|is no name of a variable/);
  });

  it('may be given where the goal names it, unless it steers what is loaded or run', () => {
    const isNamed = () => true;
    expect(refusedVariables({ DATA_FILE: 'x' }, isNamed)).toBeNull();
    for (const name of ['LD_PRELOAD', 'GIT_DIR', 'NODE_OPTIONS', 'APP_API_KEY', 'A B', 'a(b'])
      expect(refusedVariables({ [name]: 'x' }, isNamed)).not.toBeNull();
    for (const name of [
      'BASH_ENV',
      'JAVA_HOME',
      'PERL5OPT',
      'RUBYOPT',
      'EDITOR',
      'HOME',
      'GOFLAGS',
      'CC',
    ])
      expect(refusedVariables({ [name]: 'x' }, isNamed)).not.toBeNull();
    const named = (name: string) => name === 'DATA_FILE';
    expect(refusedVariables({ OTHER_FILE: 'x' }, named)).not.toBeNull();
  });

  it('has a value with bounds, and there are not many', () => {
    expect(refusedVariables({ DEBUG: 'x'.repeat(5000) })).toContain('too long');
    expect(refusedVariables({ DEBUG: 'a\0b' })).toContain('NUL');
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`APP_${n}`, 'x']));
    expect(refusedVariables(many)).toContain('No more than 50');
  });
});

describe('a program that is run', () => {
  const folder = makeReal();
  const facts = async (args: Record<string, unknown>) => {
    const { workspace, tool } = folder();
    return use(tool, workspace, args);
  };

  it('gets the variables, and its two outputs are kept apart', async () => {
    const code = 'console.log(process.env.APP_MODE);console.error(`warn`);process.exit(3)';
    const env = { APP_MODE: 'fast' };
    const result = await facts({ cmd: `node -e "${code}"`, env });
    expect(result.facts?.printed).toEqual({ stdout: 'fast\n', stderr: 'warn\n', truncated: false });
    expect(commandResult({ status: 'error', facts: result.facts ?? {} }, String)).toEqual({
      ...{ exit_code: 3, stdout: 'fast\n', stderr: 'warn\n', truncated: false },
    });
  });

  it('is not started with one that steers it', async () => {
    const result = await facts({ cmd: 'node -e 1', env: { NODE_OPTIONS: '--require ./x.cjs' } });
    expect(result).toMatchObject({ status: 'denied', facts: { notStarted: true } });
  });

  it('keeps 200 KB of each, and says that more was printed', async () => {
    const result = await facts({ cmd: `node -e "console.log('x'.repeat(400000))"` });
    const { stdout = '', truncated } = result.facts?.printed ?? {};
    expect(truncated).toBe(true);
    expect(String(stdout).length).toBeLessThan(206_000);
    expect(String(stdout)).toContain('bytes left out');
  });

  it('has the code 124 outside where its time was up, and one that exits so has its own', async () => {
    const slow = { cmd: 'node -e "setInterval(()=>{},1000)"', timeout_sec: 1 };
    const result = await facts(slow);
    expect(result.status).toBe('timeout');
    expect(commandResult({ status: 'timeout', facts: result.facts ?? {} }, String)).toMatchObject({
      ...{
        exit_code: 124,
        truncated: false,
        stderr: expect.stringMatching(/^timed out after \d s$/),
      },
    });
    const own = await facts({ cmd: 'node -e "process.exit(124)"' });
    expect([own.status, own.facts?.exitCode]).toEqual(['error', 124]);
  });
});

/** A second is over at once. */
const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(ms === 1000 ? 1 : ms, signal);

function makeReal() {
  return () => {
    const made = makeWorkspace();
    const processes = systemProcesses({
      ...{ platform: process.platform, env: process.env, workspace: made.root, fs: nodeFileSystem },
      ...{
        clock: { ...systemClock, sleep },
        identity: { host: 'here', boot: 'today', pidNamespace: '' },
      },
      ...{ nodePath: process.execPath, trusted: [], known: PROGRAMS },
    });
    const workspace = { ...made, context: { ...made.context, processes } };
    return { workspace, tool: runCmdTool({ programs: processes.programs }) };
  };
}
