/** Checks the rules before anybody is asked anything: a wrong rule is reported with its file and line. */
import { misuse, TardigradeError } from '../lib/errors.ts';
import { parseRule, parseRules } from '../policy/rules/parse.ts';
import { ruleWords } from '../tools/registry.ts';
import type { CommandContext } from './command-context.ts';

/** Throws E_USAGE. */
export function checkRules({ invocation, configured, terminal }: CommandContext): void {
  const reading = { words: ruleWords(), platform: terminal.platform };
  parseRules([...(invocation.allow ?? []), ...(invocation.deny ?? [])], reading);
  const { user = null, project = null } = configured.settings?.config ?? {};
  for (const side of [project, user]) {
    for (const kind of ['allow', 'ask', 'deny'] as const) {
      for (const [index, rule] of (side?.form.permissions?.[kind] ?? []).entries()) {
        try {
          parseRule(rule, reading);
        } catch (error) {
          if (!(error instanceof TardigradeError) || side === null) throw error;
          const { file, lineOf } = side.document;
          const line = lineOf(['permissions', kind, index]);
          throw misuse(`${file}:${line}: ${error.message}`, error.hint);
        }
      }
    }
  }
}
