/** What kind of end a goal wants. Pure. It may only take a claim away, never give one. */

/** A mark alone may end a request too, in words that `MAKES` does not know. */
const ASKS =
  /\b(?:what|which|whose?|how|why|when|where)\b[\s\S]*\?\s*$|^\s*(?:please\s+)?(?:what|which|who|how|why|when|where|is|are|was|were|has|have|does|did|do|list|show|tell|describe|summari[sz]e|explain|count|compare|find out)\b|\b(?:tell|say|answer|explain|summari[sz]e|describe)\b/i;
/** A word that asks for something to be made or changed: then it is no mere question. */
const MAKES =
  /\b(?:write|create|make|add|fix|change|rename|remove|delete|replace|update|implement|build|refactor|convert|save|generate|move|install|edit|correct|repair|sort|extract|put|set up|translate|format|should|must|needs? to)\b/i;

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

/** What is to become more: `add a test for`, `write tests`. */
const MORE_TESTS =
  /\b(?:add|append|write|create|make(?! the| its| all| these| those)|extend|generate|cover|new|more|missing|another)\b[^.!?;\n]{0,40}\btests?\b/i;

/** True for a goal that may want tests that are there changed, or more in their files. */
export const mayChangeTests = (goal: string): boolean =>
  asksToChangeTests(goal) || MORE_TESTS.test(goal);

/** Words by which something is done to a file, beside those of `CHANGES`. */
const DOES =
  /\b(?:add|append|insert|replace|sort|order|fill|put|save|store|correct|fix|clean|set|write|overwrite|normali[sz]e|translate|format|shorten|merge|split|complete)(?:s|d|ed|ing)?\b/;
/** What follows is where something comes from. */
const SOURCE =
  /\b(?:from|reads?|reading|using|out of|based on|given|load(?:s|ing)?|pars(?:es?|ing)|of)\s+(?:the\s+)?(?:file\s+)?[`"']?$/;

/** `Write total.py that sums `: what is said behind another file is said of what that one does. */
const DONE_BY_ANOTHER = /\.\w+[`"']?\s+((?:that|which)\b.*)$/;
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

/**
 * True for a file that the goal names, and in no clause of it as something to be changed. Of two
 * readings the one that leaves a wish for a change possible is taken.
 */
export function onlyGives(goal: string, path: string): boolean {
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  const clauses = goal.toLowerCase().split(/[;,!?]|\.\s|\n/);
  const naming = clauses.filter((clause) => clause.includes(name));
  if (naming.some((clause) => isToStay(clause, name))) return true;
  const isWork = (clause: string): boolean => {
    const before = clause.slice(0, clause.indexOf(clause.includes(whole) ? whole : name));
    return (
      isVerbIn(clause) &&
      !SOURCE.test(before) &&
      isVerbIn(DONE_BY_ANOTHER.exec(before)?.[1] ?? clause)
    );
  };
  return naming.length > 0 && !naming.some(isWork);
}

const isVerbIn = (text: string): boolean => DOES.test(text) || new RegExp(CHANGES).test(text);

/** A request in so many words: the sentence begins with what is to be done. */
const ORDERS =
  /^(?:(?:please|now|then|also)\s+)*(?:in\s+\S+?[,:]?\s+)?(?:please\s+)?(?:add|append|change|clean|correct|delete|drop|edit|fill|fix|format|insert|merge|move|order|put|remove|rename|reorder|replace|rewrite|set|shorten|sort|split|translate|update)\b/i;
/** Who wants to know something may name changes without wanting one. */
const WONDERS =
  /\?|\b(?:whether|which|what|why|how|who|tell|say|explain|describe|check|verify|find out|look)\b/i;

/** True for a goal that plainly orders a change of this file. What is not plain is none. */
export const ordersChangeOf = (goal: string, path: string): boolean =>
  !WONDERS.test(goal) &&
  !onlyGives(goal, path) &&
  goal
    .split(/[.!;]\s+|\n/)
    .some((sentence) => sentence.includes(path) && ORDERS.test(sentence.trim()));

/** What people call a thing that is run, and what it is then to do. */
const RUN_AND_TELLS =
  /\b(?:program|script|tool|app|application)\b[^.!?;\n]*\b(?:print|show|display|output)(?:s|ing)?\b/i;
/** A game is played: it is run as well. */
const GAME =
  /\b(?:create|write|make|build|implement|code|develop|program|want|need)\b[^.!?;\n]*\b(?:game|quiz)\b/i;
const IS_CALLED = /\b(?:module|library|package|function|class|method)(?:s|es)?\b/i;

/**
 * True for a goal that wants something run by itself, which then prints: one that only defines what
 * others call, and is silent, is not that.
 */
export const tellsByItself = (goal: string): boolean =>
  (RUN_AND_TELLS.test(goal) || GAME.test(goal)) && !IS_CALLED.test(goal);

/** True for a goal whose program is told by its command line what it is to work on. */
export const takesArguments = (goal: string): boolean =>
  /\b(?:arguments?|command[- ]line|parameters?|argv)\b/i.test(goal);

/** An order to make a thing that is run, called or opened: no look at what is there is one. */
const ORDERS_THING =
  /(?:^|[.;:!]\s+|\n)\s*(?:please\s+|now\s+)?(?:write|create|make|build|generate|implement)\s+(?:me\s+)?(?:[\w-]+\s+){0,4}?(?:script|program|module|tool|package|library|app|application|page|server|service|function|class)\b/i;

/** True for a goal that plainly orders something to be made; what is not plain is none. */
export const ordersThing = (goal: string): boolean =>
  ORDERS_THING.test(goal) && !/\?\s*$/.test(goal);

/** True for a goal that wants to know something and wants nothing made: looking is work on it. */
export const isQuestion = (goal: string): boolean => ASKS.test(goal) && !MAKES.test(goal);
