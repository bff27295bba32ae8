import {
  everyNode,
  FUNCTIONS,
  isSyntax,
  lineOf,
  type SourceFile,
  type Syntax,
} from './source-file.ts';

export interface Limits {
  readonly file: number;
  readonly function: number;
  /** Of one case of a `switch` that makes its function longer than a function may be. */
  readonly case: number;
}

/** Of sources. */
export const LIMITS: Limits = { file: 300, function: 60, case: 12 };

/** Files and functions longer than they may be. */
export function tooLong(files: readonly SourceFile[], limits: Limits): string[] {
  return files.flatMap((file) => {
    const lines = file.text.trimEnd().split('\n').length;
    // No function is longer than its file.
    const nodes = lines > limits.function ? everyNode(file.program) : [];
    const long = nodes.filter(
      (node) =>
        FUNCTIONS.has(node.type) &&
        linesOf(file, node) > limits.function &&
        !isOneSwitch(file, node, limits.case),
    );
    return [
      ...(lines > limits.file ? [`${file.path} has ${lines} lines`] : []),
      ...long.map((node) => `${file.path}:${lineOf(file, node.start)} has too long a function`),
    ];
  });
}

const linesOf = (file: SourceFile, node: Syntax): number => textOf(file, node).split('\n').length;

/**
 * A table in the form of a function: constants, then one `switch` over the names of one union, of which
 * the compiler says that none is left out (its `default` has the value `satisfies never`). A case
 * that is long is a function of its own.
 */
function isOneSwitch(file: SourceFile, { body }: Syntax, longestCase: number): boolean {
  const statements = isSyntax(body) ? listOf(body.body) : [];
  const last = statements.at(-1);
  if (last?.type !== 'SwitchStatement') return false;
  const cases = listOf(last.cases);
  const rest = cases.at(-1);
  return (
    statements.slice(0, -1).every(({ type }) => type === 'VariableDeclaration') &&
    cases.every((one) => linesOf(file, one) <= longestCase) &&
    cases.slice(0, -1).every(({ test }) => isSyntax(test) && typeof test.value === 'string') &&
    rest?.test === null &&
    leavesNothing(file, rest, unionOf(last.discriminant))
  );
}

/** In `switch (step.do)` it is `step`, in `switch (kind)` it is `kind`. */
const unionOf = (discriminant: unknown): unknown =>
  isSyntax(discriminant) && discriminant.type === 'MemberExpression'
    ? discriminant.object
    : discriminant;

const leavesNothing = (file: SourceFile, rest: Syntax, union: unknown): boolean =>
  everyNode(rest).some(
    ({ type, typeAnnotation, expression }) =>
      type === 'TSSatisfiesExpression' &&
      isSyntax(typeAnnotation) &&
      typeAnnotation.type === 'TSNeverKeyword' &&
      textOf(file, expression) === textOf(file, union),
  );

const textOf = (file: SourceFile, node: unknown): string =>
  isSyntax(node) ? file.text.slice(node.start, node.end) : '';

const listOf = (value: unknown): readonly Syntax[] =>
  Array.isArray(value) ? value.filter(isSyntax) : [];
