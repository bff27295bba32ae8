/**
 * Pure: recognises tests, in languages about which nothing else is known, by the usual names of files and
 * folders.
 */

/** Endings of source files, as opposed to those of built files. */
const CODE = new Set(
  'c cc cpp cxx h hh hpp m mm java kt kts scala groovy clj cs fs vb swift dart rs zig nim cr rb php pl pm t bats lua jl r hs ml mli ex exs erl elm f90 pas sh bash ps1 sql'.split(
    ' ',
  ),
);

export const hasEndingOfCode = (path: string): boolean =>
  CODE.has(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '');

const TEST = /^(?:(?:unit)?tests?|specs?)$/;

/** `CalcTest`, `calc_test` and `Calc.Tests` all consist of two words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

/** `calc_test.cc`, `CalcTest.java`, `test_calc.c`, `MyApp.Tests/Calc.cs`, `src/androidTest/Calc.kt`, `t/calc.t`. */
export function isNamedAsTest(path: string): boolean {
  if (/\.(?:t|bats)$/.test(path)) return true;
  const [file = '', ...folders] = path.split('/').reverse();
  if (!hasEndingOfCode(file)) return false;
  const words = wordsOf(file.slice(0, file.lastIndexOf('.')));
  const isTest = (word: string | undefined): boolean => word !== undefined && TEST.test(word);
  return (
    isTest(words[0]) ||
    isTest(words.at(-1)) ||
    folders.some((folder) => isTest(wordsOf(folder).at(-1)))
  );
}

const SETTINGS = [
  ...['pom.xml', 'build.gradle', 'build.gradle.kts', 'build.sbt', 'Cargo.toml', 'Package.swift'],
  ...['CMakeLists.txt', 'meson.build', 'BUILD', 'BUILD.bazel', 'Rakefile', '.rspec', 'mix.exs'],
  ...['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist', 'composer.json', 'noxfile.py'],
  ...[
    'justfile',
    'Justfile',
    '.justfile',
    'Taskfile.yml',
    'Taskfile.yaml',
    'deno.json',
    'deno.jsonc',
  ],
];

/**
 * True for files of programs without a language here by which tests can be left out, or their failures
 * ignored.
 */
export const configuresTests = (path: string): boolean =>
  SETTINGS.includes(path.slice(path.lastIndexOf('/') + 1)) || /\.[cf]sproj$/.test(path);
