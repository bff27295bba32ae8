/**
 * A proof that only looks at a file (`cat`, `ls`, …) is no program: what it means is a check, that
 * the file is there and holds what the goal says. Pure.
 */
import { isLook, isWrite } from '../schema/doing.ts';
import type { Check } from '../schema/plan.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';
import { normalPath } from './planned-work.ts';
import { believedPrints } from './proof-prints.ts';

/** The plan without such a proof, and with the checks that stand for it. */
export function withLooksAsChecks(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const { tasks, verify } = proposed;
  const paths = verify === undefined ? null : lookedAt(verify.cmd, context);
  if (verify === undefined || paths === null) return proposed;
  const meant = paths.filter((path) => isMeant(path, proposed, context));
  const checks = meant.flatMap((path): Check[] => {
    const text = paths.length === 1 ? statedText(path, verify.prints ?? '', context) : '';
    return [{ type: 'file_exists', path }, ...(text ? [contains(path, text)] : [])];
  });
  return { tasks, checks };
}

/** A name that was guessed is no file that must be there. */
function isMeant(path: string, proposed: ProposedPlan, { goal, exists }: PlanContext): boolean {
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) return false;
  const isPlanned = subtasksOf(proposed).some(
    (one) => isWrite(one) && normalPath(one.target) === path,
  );
  return isPlanned || goal.includes(path) || exists(path);
}

const contains = (path: string, text: string): Check => ({ type: 'file_contains', path, text });

/** Only what the goal says; what the file holds before the work may as well be what has to go. */
function statedText(path: string, prints: string, context: PlanContext): string {
  const text = believedPrints(prints, context.goal, []);
  return (context.readText(path) ?? '').includes(text) ? '' : text;
}

/** Tools that look stand in for these programs; a pipe behind one only chooses from what it shows. */
function lookedAt(cmd: string, { tools }: PlanContext): readonly string[] | null {
  const [line = ''] = cmd.trim().split(/\s*\|\s*/);
  const [program = '', ...words] = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const isShown = tools
    .filter(isLook)
    .some((tool) => tool.insteadOf.includes(program.toLowerCase()));
  if (!isShown || /[;&<>`$]/.test(line)) return null;
  const paths = words.map((word) => word.replace(/^["']|["']$/g, ''));
  return paths.map(normalPath).filter(isPath);
}

/** No option (`-la`, `/b`), no count behind one, no pattern, not the folder itself. */
const isPath = (word: string): boolean =>
  !/^(?:-.*|\/\w?|\d+|\.|.*[*?].*)$/.test(word) && word !== '';
