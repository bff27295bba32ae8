import { markedTexts } from './quotation-marks.ts';

/**
 * True where something of a goal could be evidence: a value stands in it, or more than one line. Of any
 * other goal nothing that a model says of it would count. Pure, and it reads no word.
 */
export const mayCarry = (goal: string): boolean =>
  /[\p{N}(]/u.test(goal) ||
  goal.trim().includes('\n') ||
  markedTexts(goal, { start: 0, end: goal.length }).length > 0;
