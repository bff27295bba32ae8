/** What the well-known outcomes of go ask for next. Pure. */
import type { CommandSeen, KnownNames } from '../command-seen.ts';
import { firstHint, type HintRule } from '../first-hint.ts';
import { baseName, homeOf, missingFileHint, notHere, silenceHint } from '../hint-words.ts';
import { isSource } from './files.ts';
import { MODULE_FILE } from './running.ts';

const RULES: readonly HintRule[] = [
  missingPackageHint,
  moduleFileHint,
  twoPackagesHint,
  versionHint,
  syntaxHint,
  undefinedHint,
  unusedHint,
  notFoundHint,
  notMainHint,
  noTestsHint,
  buildHint,
  panicHint,
  saysNothing,
];

/** Other programs print lines of the same form; these are go's own. */
export function hint(seen: CommandSeen, known: KnownNames): string | null {
  if (seen.program !== 'go') return null;
  return firstHint(RULES, seen, known);
}

function missingPackageHint({ output }: CommandSeen, known: KnownNames): string | null {
  const name =
    /(?:no required module provides|cannot find module providing) package ([^\s;:]+)/.exec(
      output,
    )?.[1] ?? /missing go\.sum entry for module providing package ([^\s;:]+)/.exec(output)?.[1];
  if (name !== undefined) {
    return notHere(name, '', known);
  }
  const own = /package (\S+) is not in (?:std|GOROOT)/.exec(output)?.[1];
  return own === undefined
    ? null
    : `There is no package ${own}. A package of your own is a folder, imported by the module's name in go.mod and the folder; files of one folder need no import of each other.`;
}

function moduleFileHint({ output }: CommandSeen): string | null {
  const isMissing = /go\.mod file not found|does not contain main module/.test(output);
  return isMissing ? `Write a file ${MODULE_FILE}.` : null;
}

function twoPackagesHint({ output }: CommandSeen): string | null {
  const [, first, firstFile, second, secondFile] =
    /found packages (\w+) \(([^)]+)\) and (\w+) \(([^)]+)\)/.exec(output) ?? [];
  return first === undefined
    ? null
    : `Files of one folder begin with the same package line: ${firstFile} says ${first}, ${secondFile} says ${second}.`;
}

function versionHint({ output }: CommandSeen): string | null {
  const [, wanted, present] = /requires go >= (\S+) \(running go ([\d.]+)/.exec(output) ?? [];
  if (wanted !== undefined) {
    return `go.mod asks for Go ${wanted}, but Go ${present} is here: name that version or an older one in go.mod.`;
  }
  const language = /requires (go\d\S*) or later \(-lang was set to go\S+; check go\.mod\)/.exec(
    output,
  );
  return language === null
    ? null
    : `go.mod names an old version of the language, or none: it needs a line ${language[1]?.replace('go', 'go ')} or later.`;
}

function syntaxHint({ output }: CommandSeen): string | null {
  const [, file, line] = /^(\S+\.go):(\d+):\d+: (?:syntax error: |expected )/m.exec(output) ?? [];
  return file === undefined
    ? null
    : `${baseName(file)}, line ${line}, is not valid Go. Correct that line; the fault may be in the line before it.`;
}

function undefinedHint({ output, args }: CommandSeen, known: KnownNames): string | null {
  const [, user = '', name = ''] = /^(\S+\.go):\d+:\d+: undefined: (\w+)/m.exec(output) ?? [];
  if (name === '') return null;
  if (STANDARD.has(name)) return `Import it in ${baseName(user)}: import "${STANDARD.get(name)}"`;
  const home = homeOf(name, known, isSource);
  if (home === null || baseName(home) === baseName(user)) {
    return `${name} is not defined. Define it, or correct its spelling: capitals count.`;
  }
  return args[0] === 'run'
    ? `${name} is defined in ${home}: run all files of the program: go run . (it needs a file ${MODULE_FILE}).`
    : `${name} is defined in ${home}. A name from another folder needs its import, the package before it and a capital.`;
}

/** Packages that programs use most, by the name their code goes by. */
const STANDARD = new Map(
  'bufio bytes errors fmt io math os regexp slices sort strconv strings testing time unicode maps net/http math/rand path/filepath encoding/json encoding/csv'
    .split(' ')
    .map((path) => [path.slice(path.lastIndexOf('/') + 1), path] as const),
);

function unusedHint({ output }: CommandSeen): string | null {
  const imported = [
    ...output.matchAll(/^(\S+\.go):\d+:\d+: ("[^"]+") imported(?: as \w+)? and not used/gm),
  ];
  const [first] = imported;
  if (first !== undefined) {
    const names = imported.map(([, , name]) => name).join(' and ');
    return `Leave the import of ${names} out of ${baseName(first[1] ?? '')}: what is not used is an error.`;
  }
  const variable =
    /: declared and not used: (\w+)/.exec(output) ??
    /: (\w+) declared (?:and|but) not used/.exec(output);
  return variable === null
    ? null
    : `Use ${variable[1]}, or leave it out: a variable that is not used is an error.`;
}

function notFoundHint({ output }: CommandSeen, known: KnownNames): string | null {
  const file = /^(?:stat|no required module provides package|open) (\S+\.go): no such file/m.exec(
    output,
  )?.[1];
  return file === undefined ? null : missingFileHint(file, known);
}

function notMainHint({ output }: CommandSeen): string | null {
  if (/cannot run \*_test\.go files/.test(output)) return 'Tests are run by: go test ./...';
  if (/function main is undeclared in the main package/.test(output)) {
    return 'A program needs func main() in one of its files.';
  }
  return /is not a main package/.test(output)
    ? 'Only package main with func main() can be run; a package without it is shown by its tests: go test ./...'
    : null;
}

function noTestsHint({ output, args }: CommandSeen): string | null {
  if (!args.includes('test')) return null;
  if (/\[no tests to run\]/.test(output) && !/^ok\s+\S+\s+[^[\n]*$/m.test(output)) {
    return 'go test found no test of that name. Tests are func TestNAME(t *testing.T).';
  }
  return /\[no test files\]/.test(output) && !/^(?:ok|FAIL|---)\s/m.test(output)
    ? 'go test found no tests. Tests are func TestNAME(t *testing.T) in files named NAME_test.go.'
    : null;
}

/** The compiler's own line says what is wrong; that no test ran is what is not seen. */
function buildHint({ output }: CommandSeen): string | null {
  const [, file, line] = /^(\S+\.go):(\d+):\d+: /m.exec(output) ?? [];
  if (file === undefined || /^\s*--- FAIL: |^goroutine \d+/m.test(output)) return null;
  const what = `${baseName(file)}, line ${line}, does not compile: correct what its message says`;
  return /\[(?:build|setup) failed\]/.test(output) ? `${what}. No test of it was run.` : `${what}.`;
}

function panicHint({ output }: CommandSeen): string | null {
  const failed = [...output.matchAll(/^--- FAIL: (\w+)/gm)].map(([, name]) => name);
  const panicked = /^panic: (.*?)(?: \[recovered.*)?$/m.exec(output)?.[1];
  if (panicked === undefined) return null;
  const where = failed.length > 0 ? `${failed[0]} ended` : 'The program ended';
  const frames = [...output.matchAll(/^\t(\S+\.go):(\d+)/gm)];
  const own = frames.find(([, file = '']) => !/\/src\/(?:testing|runtime)\//.test(file));
  const place = own === undefined ? '' : ` in ${baseName(own[1] ?? '')}, line ${own[2]}`;
  return `${where} with a panic${place}: ${panicked.slice(0, 120)}`;
}

function saysNothing({ args, exitCode, output }: CommandSeen, known: KnownNames): string | null {
  const isSilent = args[0] === 'run' && exitCode === 0 && output.trim() === '';
  return isSilent ? silenceHint(undefined, known) : null;
}
