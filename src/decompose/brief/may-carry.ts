import { markedTexts } from './quotation-marks.ts';

/**
 * True if a brief could find evidence in the goal: it contains a value or more than one line. For other goals
 * nothing that a model says would count. Pure; it interprets no words.
 */
export const mayCarry = (goal: string): boolean =>
  /[\p{N}(]/u.test(goal) ||
  goal.trim().includes('\n') ||
  markedTexts(goal, { start: 0, end: goal.length }).length > 0;
