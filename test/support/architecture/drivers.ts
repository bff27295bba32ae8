import { everyNode, isSyntax, lineOf, type SourceFile, type Syntax } from './source-file.ts';

/** A file that says none of the words is not walked. */
const ANY_WORD = /['"`](?:native|guided|json|free)['"`]/;

/** Words that stand for a driver wherever they are compared with. */
const DRIVER_WORDS = new Set(['native', 'guided']);
/** Those that mean other things, too: a file's form, a price. */
const AMBIGUOUS_WORDS = new Set(['json', 'free']);

const literalOf = (node: unknown): unknown =>
  isSyntax(node) && node.type === 'Literal' ? node.value : undefined;

/** `state.settings?.mode` and `toolMode` are called a mode, `driver.name` is called a driver. */
const isCalledDriver = (node: unknown): boolean =>
  isSyntax(node) &&
  everyNode(node).some(({ type, name }) => type === 'Identifier' && /mode|driver/i.test(`${name}`));

/** What is compared with what, in a comparison or in the cases of a `switch`. */
function comparisons(node: Syntax): readonly (readonly [unknown, unknown])[] {
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator)))
    return [
      [node.left, node.right],
      [node.right, node.left],
    ];
  if (node.type !== 'SwitchStatement') return [];
  return [node.cases]
    .flat()
    .filter(isSyntax)
    .map((one) => [one.test, node.discriminant] as const);
}

const ABOVE_DRIVERS =
  /^src\/(?:bin|index|cli|fleet|server|chat|host|agent|run|undo|round)(?:\/|\.ts$)/;
/** What `schema` has for those who only read records. */
const TABLES = new Set(['traitsOf', 'TRAITS']);

/** Rooms that can ask a driver do not look its traits up in the table below it. */
export function traitsLookedUp(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => ABOVE_DRIVERS.test(path) && /traitsOf|TRAITS/.test(text))
    .flatMap((file) =>
      everyNode(file.program).flatMap(({ type, imported, start }) => {
        const name = isSyntax(imported) ? String(imported.name) : '';
        return type === 'ImportSpecifier' && TABLES.has(name)
          ? [`${file.path}:${lineOf(file, start)} imports ${name}: ask the driver`]
          : [];
      }),
    );
}

/** Comparisons that ask who leads a run: that is asked of the driver, which is looked up once. */
export function driverComparisons(files: readonly SourceFile[]): string[] {
  const saying = files.filter(({ text }) => ANY_WORD.test(text));
  return saying.flatMap((file) =>
    everyNode(file.program).flatMap((node) =>
      comparisons(node).flatMap(([word, other]) => {
        const value = literalOf(word);
        const isDriver =
          DRIVER_WORDS.has(String(value)) ||
          (AMBIGUOUS_WORDS.has(String(value)) && isCalledDriver(other));
        return isDriver
          ? [`${file.path}:${lineOf(file, node.start)} compares with '${value}'`]
          : [];
      }),
    ),
  );
}

const DRIVER_FOLDER = /^src\/drivers\/(guided|free)\//;
const LOOKUP = 'src/drivers/driver-of.ts';

/** Imports that know one driver: only the lookup does, and what stands in the driver's own folder. */
export function importsOfOneDriver(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => DRIVER_FOLDER.test(name) && path !== LOOKUP)
      .filter((name) => DRIVER_FOLDER.exec(name)?.[1] !== DRIVER_FOLDER.exec(path)?.[1])
      .map((name) => `${path} imports ${name}, which is one driver's own`),
  );
}
