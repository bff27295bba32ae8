/** Projects of four kinds, built and tested by a model that nobody has allowed anything. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import { leading } from '../support/leading.ts';
import { realFolder, realMachine } from '../support/real-run.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';

const has = (program: string, flag = '--version'): boolean =>
  spawnSync(program, [flag], { timeout: 20_000 }).status === 0;

const WORK = { subtasks: [{ action: 'run_cmd', cmd: 'node --version', purpose: 'look' }] };

/** Says what became of each command, and of one that nobody allowed. */
async function tested(given: { readonly [path: string]: string }, commands: readonly string[]) {
  const calls = [...commands, 'some-unknown-program'].map((cmd) => ({
    name: 'run_cmd',
    args: { cmd },
  }));
  const done = { name: 'mark_subtask_complete', args: { success: true, reason: 'it is tested' } };
  const script = leading(WORK, ({ messages }) => {
    const told = messages.filter(({ role }) => role === 'tool').length - 1;
    return { text: '', calls: [calls[told] ?? done] };
  });
  const events: RunEvent[] = [];
  await runGoal({
    ...{ goal: 'test it', workspace: realFolder(given), machine: realMachine({ withNpm: true }) },
    ...{ provider: scriptedProvider(script, LARGE), model: SCRIPTED_MODEL },
    emit: (event) => void events.push(event),
  });
  return events.flatMap((event) =>
    event.type === 'record' &&
    event.record.type === 'action_finished' &&
    event.record.tool === 'run_cmd'
      ? [
          `${event.record.target}: ${event.record.status} ${event.record.facts.exitCode ?? ''}`.trim(),
        ]
      : [],
  );
}

const LIMIT_MS = 120_000;
const UNKNOWN = expect.stringMatching(/^some-unknown-program: (?:denied|error)/);

describe('without a flag', () => {
  it.skipIf(!has('cargo'))('a Cargo project is checked', { timeout: LIMIT_MS }, async () => {
    const files = {
      'Cargo.toml': '[package]\nname = "twice"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn twice(n: i32) -> i32 {\n    n * 2\n}\n',
    };
    const said = await tested(files, ['cargo check --offline', 'cargo publish']);
    expect(said).toEqual(['cargo check --offline: ok 0', 'cargo publish: denied', UNKNOWN]);
  });

  it.skipIf(!has('go', 'version'))('a Go project is vetted', { timeout: LIMIT_MS }, async () => {
    const files = {
      'go.mod': 'module twice\n\ngo 1.18\n',
      'twice.go': 'package twice\n\nfunc Twice(n int) int { return n * 2 }\n',
    };
    const said = await tested(files, ['go build ./...', 'go install ./...']);
    expect(said).toEqual(['go build ./...: ok 0', 'go install ./...: denied', UNKNOWN]);
  });

  it.skipIf(!has('make'))('a Make project is made and tested', { timeout: LIMIT_MS }, async () => {
    const makefile = 'all:\n\t@echo built > out.txt\n\ntest: all\n\t@grep -q built out.txt\n';
    const said = await tested({ Makefile: makefile }, ['make', 'make test', 'make -C ..']);
    expect(said).toEqual(['make: ok 0', 'make test: ok 0', 'make -C ..: denied', UNKNOWN]);
  });

  it.skipIf(!has('npm'))('an npm project is tested', { timeout: LIMIT_MS }, async () => {
    const files = {
      'package.json': JSON.stringify({ name: 'twice', scripts: { test: 'node test.mjs | cat' } }),
      'test.mjs': 'console.log("ok")\n',
    };
    const said = await tested(files, ['npm test', 'npm install left-pad']);
    expect(said).toEqual(['npm test: ok 0', 'npm install left-pad: denied', UNKNOWN]);
  });
});
