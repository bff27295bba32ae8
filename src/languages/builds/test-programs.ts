/** Pure: programs that run tests in any language, or in languages without a folder here. */
import type { TestProgram } from '../language.ts';

const CARGO: TestProgram = {
  takes:
    '--manifest-path -C --config -Z -p --package -F --features --target --target-dir --color --profile',
  tests: ['test', 't', 'nextest run'],
  never: '--no-run',
  folder: 'test --manifest-path {}/Cargo.toml',
  all: {
    words: 'test --workspace',
    keeps:
      '+ --manifest-path --target --target-dir --profile -r --release -F --features --all-features --no-default-features --locked --offline --frozen',
  },
};
const MAVEN: TestProgram = {
  takes:
    '-f --file -pl --projects -P --activate-profiles -s --settings -gs -T --threads -rf --resume-from -D --define -l --log-file -b --builder',
  tests: ['test', 'verify', 'integration-test'],
  anywhere: true,
  never: '-DskipTests -Dmaven.test.skip',
  quiet: '-q --quiet',
  folder: '-f {} test',
};
const GRADLE: TestProgram = {
  takes:
    '-p --project-dir -b --build-file -c --settings-file -I --init-script -x --exclude-task -g --gradle-user-home --tests --max-workers --console -P -D',
  tests: ['test', 'check', 'allTests', 'integrationTest'],
  anywhere: true,
  never: '--dry-run',
  quiet: '-q --quiet',
  folder: '-p {} test',
};
const MAKE: TestProgram = {
  takes: '-C --directory -f --file --makefile -I --include-dir -o -W',
  tests: ['test*', 'tests', 'check'],
  anywhere: true,
  never: '-n --dry-run --just-print --recon',
  folder: '-C {} test',
};
const RUNNER: TestProgram = { tests: [''] };
const VERB: TestProgram = { tests: ['test'] };

export const BUILD_TESTS: { readonly [program: string]: TestProgram } = {
  cargo: CARGO,
  cross: CARGO,
  mvn: MAVEN,
  mvnw: MAVEN,
  mvnd: MAVEN,
  gradle: GRADLE,
  gradlew: GRADLE,
  make: MAKE,
  gmake: MAKE,
  just: { takes: '-f --justfile -d --working-directory', tests: ['test*', 'tests'] },
  task: { takes: '-d --dir -t --taskfile', tests: ['test*', 'tests'], anywhere: true },
  dotnet: { tests: ['test', 'vstest'], folder: 'test {}' },
  ctest: { ...RUNNER, quiet: '-Q --quiet', folder: '--test-dir {}' },
  meson: VERB,
  ninja: { takes: '-C -f -j', tests: ['test', 'check'], anywhere: true },
  bazel: VERB,
  bazelisk: VERB,
  ant: { takes: '-f -buildfile -file', tests: ['test'], anywhere: true },
  sbt: { tests: ['test', 'testOnly*', 'testQuick'], anywhere: true },
  swift: VERB,
  mix: VERB,
  zig: { tests: ['test', 'build test'] },
  dart: VERB,
  flutter: VERB,
  stack: VERB,
  cabal: VERB,
  lein: VERB,
  php: { passes: [''] },
  phpunit: RUNNER,
  pest: RUNNER,
  artisan: VERB,
  composer: {
    takes: '-d --working-dir',
    tests: ['test*', 'run test*', 'run-script test*'],
    passes: ['exec'],
  },
  ruby: { takes: '-I -r -C', passes: [''] },
  bundle: { passes: ['exec'] },
  rake: { takes: '-f -C', tests: ['test*', 'spec*'], anywhere: true },
  rails: { tests: ['test*', 'spec'] },
  rspec: RUNNER,
  prove: RUNNER,
  bats: RUNNER,
};
