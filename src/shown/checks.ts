/** A check or a proof in words. Pure. */
import { oneLine } from '../lib/text/plain-text.ts';
import { visible } from '../lib/text/visible.ts';
import type { Check, Proof } from '../schema/plan.ts';

export function describeCheck(check: Check | Proof): string {
  if (!('type' in check)) return `${oneLine(check.cmd)}${prints(check.prints)}`;
  switch (check.type) {
    case 'file_exists':
      return `${visible(check.path)} exists`;
    case 'file_contains':
      return `${visible(check.path)} contains "${oneLine(check.text)}"`;
    case 'command_succeeds':
      return `${oneLine(check.cmd)}${prints(check.prints)}`;
    case 'goal_example':
      return `the goal says ${oneLine(check.says)}`;
    default:
      return check satisfies never;
  }
}

const prints = (text: string | undefined): string =>
  text === undefined ? ' succeeds' : ` prints "${oneLine(text)}"`;
