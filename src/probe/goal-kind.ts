/** Whether a goal asks for tests, or a file, that were there to become others. Pure. */

const CHANGES = String.raw`\b(?:change|update|rewrite|adapt|adjust|edit|rename|move|convert|port|remove|delete|drop|simplify|refactor|extend)`;
/** `Do not change the tests`, `rather than change the tests`. */
const NOT_MEANT = String.raw`(?<!\b(?:not|\w*n[o'’]t|never|without|(?:rather|other) than|instead of)\s(?:\w+\s){0,2})`;
/** `Fix the failing tests` asks for code that they pass with, and `refactor it, tests pass` too. */
const CHANGES_TESTS = new RegExp(
  String.raw`${NOT_MEANT}${CHANGES}\s+(?:(?:the|its|their|all|these|those|existing|old|unit|given)\s+)*tests?\b`,
  'i',
);

/** True for a goal that asks for tests that are there to become others. */
export const asksToChangeTests = (goal: string): boolean => CHANGES_TESTS.test(goal);

/** True for one that asks for a change of this file, and does not only name it. */
export function asksToChange(goal: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return goal
    .toLowerCase()
    .split(
      /[;,]|\.\s|\b(?:so that|until|such that|because|since|as|must|should|without|leave|keep)\b/,
    )
    .some(
      (clause) =>
        new RegExp(NOT_MEANT + CHANGES).test(clause) &&
        clause.includes(name) &&
        !isToStay(clause, name),
    );
}

const TOUCHES = String.raw`(?:chang|modif|touch|edit|overwrit|alter|rewrit)\w*`;
const AS_IT_IS = '(?:unchanged|untouched|intact|alone|the same|as (?:it|they) (?:is|are|was|were))';

/** True where its name is in words that want it to stay, and that else would ask for a change. */
function isToStay(clause: string, name: string): boolean {
  const file = String.raw`(?:the )?(?:file )?[\`"']?[\w./-]*${escaped(name)}[\`"']?`;
  return [
    String.raw`(?:\bnot|n[o'’]t|\bnever|\bwithout) ${TOUCHES} ${file}`,
    String.raw`${file}(?: \w+){0,2} (?:not|never)(?: be)? ${TOUCHES}`,
    String.raw`\b(?:leav|keep)(?:e|ing)? ${file} ${AS_IT_IS}`,
    String.raw`${file}(?: \w+){0,2} (?:stays?|remains?|be left|be kept) ${AS_IT_IS}`,
  ].some((words) => new RegExp(words).test(clause));
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
