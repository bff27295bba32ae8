/**
 * Carries out a person's slash command in the folder. It needs no permission, but what a rule denies stays
 * denied.
 */

import { defined } from '../lib/defined.ts';
import { misuse } from '../lib/errors.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { readFileIfPresent } from '../lib/files/durable-files.ts';
import { orNull } from '../lib/or-null.ts';
import { COMPARE_STAGED, FIND_HOOKS } from '../policy/git-commit.ts';
import { parseRules } from '../policy/rules/parse.ts';
import { MEMORY_FILE } from '../prompts/instructions.ts';
import { MAX_MEMORY_BYTES } from '../run/start/instruction-files.ts';
import { answerCovered } from '../run/start/permissions.ts';
import type { Giver } from '../schema/journal/permissions.ts';
import type { CallDecision } from '../tools/decision.ts';
import { ruleWords } from '../tools/registry.ts';
import { infoOf, putFile } from '../workspace/files.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';
import type { LiveSession } from './options.ts';

export interface Remembered {
  /** Whether the file is so long that its oldest lines are no longer sent. */
  readonly isLong: boolean;
  /** False if sessions get no instruction files, or a rule hides this one. */
  readonly isTold: boolean;
}

/** Appends one line to the memory of the project. Throws E_USAGE, E_DISK_FULL, E_IO. */
export function remember({ policy, toolContext, request }: LiveSession, text: string): Remembered {
  const { fs, workspace } = toolContext;
  const line = text.replace(/\s*\n\s*/g, ' ').trim();
  if (line === '') throw misuse('There is nothing to remember.', 'Write: /memory TEXT');
  const reaches = [{ does: 'edit', path: MEMORY_FILE }] as const;
  const asked = { tool: '/memory', touches: 'files', target: null, reaches, args: {} } as const;
  refuseDenied(policy.decideNow({ ...asked, asker: 'engine' }));
  const options = { platform: fs.platform, forWrite: true };
  const place = resolveInWorkspace(fs, workspace, MEMORY_FILE, options);
  if (place.kind !== 'inside')
    throw misuse(
      `${MEMORY_FILE} leads out of the folder.`,
      'See where it leads, and move it away.',
    );
  const before = readFileIfPresent(fs, place.absolute) ?? Buffer.alloc(0);
  const isOpen = before.length > 0 && before.at(-1) !== NEWLINE;
  const bytes = Buffer.concat([before, Buffer.from(`${isOpen ? '\n' : ''}* ${line}\n`)]);
  const mode = infoOf(fs, place.absolute)?.mode;
  const { absolute } = place;
  const code = putFile(fs, { absolute, bytes, createdDirs: [], ...defined({ mode }) });
  if (code !== null)
    throw misuse(`${MEMORY_FILE} cannot be written (${code}).`, 'See its permissions.');
  const isTold = request.run.instructions !== false && policy.mayShow(MEMORY_FILE);
  return { isLong: bytes.length > MAX_MEMORY_BYTES, isTold };
}

const NEWLINE = 10;

export interface Committed {
  /** The output of git. */
  readonly output: string;
  readonly outcome: 'committed' | 'nothing' | 'failed';
  /** Hooks of the repository that git ran, or may have run. */
  readonly hooks: readonly string[];
}

const COMMIT_MS = 120_000;
const MAX_OUTPUT = 100_000;

/** `git add -A`, then `git commit -m MESSAGE`: two programs with arguments, no shell. */
export async function commit(live: LiveSession, message: string): Promise<Committed> {
  const { policy, toolContext, signal } = live;
  const { fs, processes, workspace } = toolContext;
  if (message.trim() === '') throw misuse('A commit needs a message.', 'Write: /commit MESSAGE');
  const program = await live.findOutside('git');
  if (program.kind !== 'found') throw misuse(program.reason, program.hint);
  const quoted = message.replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ');
  for (const line of ['git add -A', `git commit -m "${quoted}"`]) {
    const decision = policy.judgeLine(line);
    if (decision.kind !== 'unreadable') refuseDenied(decision);
  }
  const run = (args: readonly string[]) =>
    processes.run(
      {
        file: program.file,
        args: [...program.prefix, ...args],
        cwd: workspace,
        env: live.inspectionDeps().env,
        timeoutMs: COMMIT_MS,
        maxOutputBytes: MAX_OUTPUT,
      },
      { signal, onOutput: () => {} },
    );
  const added = await run(['add', '-A']);
  if (added.exitCode !== 0) return { output: added.output, outcome: 'failed', hooks: [] };
  const hooks = await run(FIND_HOOKS);
  const folder = pathsOf(fs.platform).resolve(workspace, hooks.output.trimEnd());
  const { output, exitCode } = await run(['commit', '-m', message]);
  const staged = exitCode === 0 ? null : await run(COMPARE_STAGED);
  const isNothing = staged?.exitCode === 0;
  return {
    output,
    outcome: exitCode === 0 ? 'committed' : isNothing ? 'nothing' : 'failed',
    hooks: hooks.exitCode === 0 ? hooksIn(fs, folder) : [],
  };
}

const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

function hooksIn(fs: LiveSession['toolContext']['fs'], folder: string): readonly string[] {
  const names = orNull(() => fs.readdir(folder)) ?? [];
  return HOOKS.filter((name) => names.includes(name));
}

function refuseDenied(decision: CallDecision): void {
  if (decision.kind === 'deny')
    throw misuse(decision.reason, 'A rule of yours or of the project holds it back.');
}

/** Allows something without asking from now on, in this session. Throws E_USAGE for an invalid rule. */
export function allow(live: LiveSession, text: string, giver: Giver): string {
  const reading = { words: ruleWords(), platform: live.toolContext.fs.platform };
  const [rule] = parseRules([text], reading);
  if (rule === undefined) throw new Error('A rule is a rule.');
  const record = { type: 'approval_given', allowed: true, why: 'given by the person' } as const;
  live.context.record({ ...record, id: 'rule', rule: rule.text, scope: 'run', ...giver });
  answerCovered(live);
  live.context.sync('effect');
  return rule.text;
}
