/**
 * Which variables a model may give a program: those that tell it something, and those that the goal itself
 * names. What is not known to be one of them may steer what is loaded or run, where programs keep their
 * own, or whom they talk to, and is refused. Pure.
 */
import { shortened } from '../lib/shortened.ts';

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
/** Read by systems, shells, loaders, runtimes and compilers: never given because a goal names them. */
const OF_SYSTEMS =
  /^(?:HOME|USER|LOGNAME|SHELL|ENV|IFS|PS\d|PWD|OLDPWD|CDPATH|GLOBIGNORE|PROMPT|BASH|ZDOT|KSH|EDITOR|VISUAL|PAGER|LESS|MAN|BROWSER|DISPLAY|WAYLAND|DBUS|SUDO|DOAS|PAM|TMP|TEMP|XDG|SYSTEM|WIN|COM|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAM|NODE|DENO|BUN|YARN|PNPM|PYTHON|PY|PIP|UV|VIRTUAL|CONDA|POETRY|PYTEST|RUBY|GEM|BUNDLE|PERL|PHP|COMPOSER|JAVA|JDK|_?JAVA|CLASS|MAVEN|GRADLE|KOTLIN|SCALA|DOTNET|CORECLR|COR|MSBUILD|NUGET|GO|CGO|CARGO|RUST|CC|CXX|CPP|CFLAGS|CXXFLAGS|LDFLAGS|AR|AS|MAKE|CMAKE|PKG|NM|ERL|ELIXIR|MIX|LUA|GUILE|R|JULIA|OCAML|CAML|GHC|CABAL|TCL|AWK|GREP|TAR|GZIP|ZIP|RSYNC|CURL|WGET|SSL|OPENSSL|HTTP|HTTPS|FTP|ALL|NO|DOCKER|KUBE|HELM|AWS|AZURE|GOOGLE|GCLOUD|OPENAI|ANTHROPIC|HF|TARDIGRADE)(?:_|$)|^(?:DYLD|LD|GIT|SSH|NPM|PERL|RUBY|PYTHON|LESS|BASH|GO[A-Z]|RUST|MAKE|CARGO|CLASSPATH|JAVA)/i;
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
  return isTelling || (NAME.test(name) && !OF_SYSTEMS.test(name) && isNamed(name));
}
