/**
 * Which variables a model may give a program: those that tell it something, and those that the goal itself
 * names. What is not known to be one of them may steer what is loaded or run, where programs keep their
 * own, or whom they talk to, and is refused. Pure.
 */
import { isReadBySystems } from '../../languages/commands/system-variables.ts';
import { shortened } from '../../lib/text/shortened.ts';

const MOST = 50;
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
/** Loaders and tools with variables of their own, whatever these end in. */
const STEERING = /^(?:LD|DYLD|GIT|SSH|NPM|MALLOC|GLIBC)/;
/** A value under such a name is a key, or the way of one. */
const HIDDEN = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|PROXY|PATH|OPTIONS|PRELOAD)$/;

/**
 * Why they are not given, in words for the model; `null`: they may be.
 * @param isNamed whether the user's own words name one
 */
export function refusedVariables(
  env: { readonly [name: string]: string },
  isNamed: (name: string) => boolean = () => false,
): string | null {
  const entries = Object.entries(env);
  if (entries.length > MOST) return `No more than ${MOST} variables are given to a program.`;
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

/** Names differ by their case only where nobody can tell which of two counts. */
function mayBeGiven(name: string, isNamed: (name: string) => boolean): boolean {
  if (TELLING.has(name)) return true;
  if (STEERING.test(name) || HIDDEN.test(name)) return false;
  const isTelling = TELLING_FAMILIES.some((family) => family.test(name));
  return isTelling || (NAME.test(name) && !isReadBySystems(name) && isNamed(name));
}
