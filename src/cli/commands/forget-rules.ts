/** `agent config --forget RULE`: takes back what a person allowed "always here". */
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { orNull } from '../../lib/or-null.ts';
import { parseRule } from '../../policy/rules/parse.ts';
import { ruleInWords } from '../../policy/rules/say.ts';
import { typedRule } from '../../policy/words-of.ts';
import { ruleWords } from '../../tools/registry.ts';
import type { CommandContext } from '../command-context.ts';
import { printFolded } from '../render/text/fold.ts';
import { oneLine } from '../render/text/text.ts';
import { printJson, wantsJson } from './print.ts';

/** What is true of work that has read or recorded the rule already. */
const HOLDS =
  'From its next start on, a run or conversation asks about it again. The one in which it was allowed, and those at work now, may hold it until they end.';

/** All or none. Throws E_USAGE if one of them is not kept here. */
export function forgetRules(context: CommandContext, typed: readonly string[]): number {
  const { engine, invocation, terminal } = context;
  const { workspace } = invocation;
  const keptNow = () => engine.keptRules(workspace).map(({ rule }) => rule);
  const kept = keptNow();
  const meant = typed.map((text) => {
    const rule = [text, plainRule(text, terminal.platform)].find((one) => kept.includes(one));
    if (rule === undefined) throw notKept(text, kept);
    return rule;
  });
  const forgotten = [...new Set(meant)].filter((rule) => engine.forgetRule(workspace, rule));
  // Another process took them back at this moment.
  if (forgotten.length === 0) throw notKept(typed.join(', '), keptNow());
  if (wantsJson(context)) return printJson(context, { forgotten });
  for (const rule of forgotten)
    printFolded(terminal.stdout, `Taken back: ${oneLine(ruleInWords(rule))}.\n`);
  printFolded(terminal.stderr, `${HOLDS}\n`);
  return 0;
}

/** In the form in which rules are kept. */
const plainRule = (text: string, platform: NodeJS.Platform): string =>
  orNull(() => parseRule(text, { words: ruleWords(), platform }).text) ?? text;

const notKept = (text: string, kept: readonly string[]): TardigradeError =>
  misuse(
    `The rule "${oneLine(text)}" is not kept for this folder.`,
    kept.length === 0
      ? 'Nothing was allowed "always here".'
      : `Name one of these: ${kept.map((rule) => oneLine(typedRule(rule))).join(', ')}.`,
  );
