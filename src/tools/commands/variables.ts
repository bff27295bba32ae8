/**
 * Decides which variables a model may set for a program: informative ones, and those that the goal itself
 * names. Any other variable may control what is loaded or run, where programs store data, or whom they talk to,
 * and is refused. Pure.
 */
import { isReadBySystems } from '../../languages/commands/system-variables.ts';
import { shortened } from '../../lib/text/shortened.ts';

const MAX = 50;
const LONGEST = 4_096;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const TELLING = new Set(
  (
    'CI DEBUG VERBOSE TZ LANG LANGUAGE PORT SEED COLUMNS LINES TERM NO_COLOR FORCE_COLOR LOG_LEVEL ' +
    'NODE_ENV GO_ENV APP_ENV RAILS_ENV RACK_ENV FLASK_ENV MIX_ENV ENVIRONMENT DEPLOY_ENV ' +
    'RUST_LOG RUST_BACKTRACE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED ' +
    'FLASK_APP DJANGO_SETTINGS_MODULE SOURCE_DATE_EPOCH'
  ).split(' '),
);
const TELLING_FAMILIES: readonly RegExp[] = [
  /^LC_[A-Z]+$/,
  /^(?:APP|TEST|DEMO)_[A-Z0-9_]+$/,
  /^[A-Z0-9_]+_(?:DEBUG|VERBOSE|MODE|LEVEL|SEED|TIMEOUT|PORT)$/,
];
/** Loaders and tools with many variables of their own, whatever their endings. */
const STEERING = /^(?:LD|DYLD|GIT|SSH|NPM|MALLOC|GLIBC)/;
/** The value under such a name is a secret, or the path to one. */
const HIDDEN = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|PROXY|PATH|OPTIONS|PRELOAD)$/;

/**
 * Why variables are refused, worded for the model; `null`: they may be set.
 * @param isNamed whether the user's own words name one
 */
export function refusedVariables(
  env: { readonly [name: string]: string },
  isNamed: (name: string) => boolean = () => false,
): string | null {
  const entries = Object.entries(env);
  if (entries.length > MAX) return `No more than ${MAX} variables are given to a program.`;
  const refused = entries.find(([name, value]) => !mayBeGiven(name, isNamed) || !isValue(value));
  if (refused === undefined) return null;
  const [name, value] = refused;
  const shown = JSON.stringify(shortened(name, 80));
  if (!NAME.test(name)) return `${shown} is no name of a variable.`;
  if (!isValue(value)) return `The value of ${shown} is too long, or holds a NUL.`;
  return (
    `The variable ${shown} is not given to programs: it may steer what they load or run. ` +
    'Use an argument of the program, or a variable such as APP_MODE, DEBUG or PORT.'
  );
}

const isValue = (value: string): boolean => value.length <= LONGEST && !value.includes('\0');

/** Names that differ only by case are refused, because it is unclear which of them applies. */
function mayBeGiven(name: string, isNamed: (name: string) => boolean): boolean {
  if (TELLING.has(name)) return true;
  if (STEERING.test(name) || HIDDEN.test(name)) return false;
  const isTelling = TELLING_FAMILIES.some((family) => family.test(name));
  return isTelling || (NAME.test(name) && !isReadBySystems(name) && isNamed(name));
}
