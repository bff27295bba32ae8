/** Which command lines run tests, by the tables of the programs that do. */
import { describe, expect, it, test } from 'vitest';
import { onlyTests } from '../../../src/languages/commands/only-tests.ts';
import {
  allTestsOf,
  namesItsTests,
  printingTests,
  runsKnownTests,
  runsTests,
  testsOfFolder,
} from '../../../src/languages/testing/test-runs.ts';

const KNOWN = `
go test / go test ./... / go -C sub test ./... / go test -C sub ./... / gotestsum -- ./...
npm test / npm t / npm run test:unit / npm --prefix sub test / npm test --prefix sub / npm run vitest
npm -w a test / npm test -w a / npm --workspace=a test / npm -ws --if-present test / npm run -w a test
npm exec -- vitest run / npx vitest run / npx --yes jest / npx -p typescript jest / npx cross-env CI=1 mocha
pnpm test / pnpm --filter a test / pnpm -F a run test / pnpm -C sub test / pnpm -r test / pnpm exec vitest / pnpm jest
yarn test / yarn workspace a test / yarn --cwd sub test / yarn workspaces foreach -A run test / yarn jest --ci
bun test / bun --cwd sub test / bun run test / bunx vitest / deno test -A / deno task test / deno run -A a_test.ts
node --test / node --import tsx --test a.test.ts / node sub/a.test.mjs / node node_modules/.bin/jest
node --run test / node node_modules/vitest/vitest.mjs run / tsx src/a.test.ts / playwright test
pytest -q / pytest -m slow / python -m pytest sub / python3.12 -m pytest / python -um pytest / py -3 -m unittest
.venv/bin/pytest / .venv\\Scripts\\pytest.exe -q / C:\\py\\python.exe -m pytest / python -W error -m unittest
python test_a.py / python tests/test_a.py / python a_test.py / python -m tests.test_a / ./test_a.py / python manage.py test
uv run pytest -m slow / uv run --with x pytest / uv --directory sub run python -m pytest / uv run -m pytest / uvx pytest
poetry run pytest / poetry -C sub run pytest / pipenv run pytest / hatch test / hatch run test:unit / tox -e py
coverage run -m pytest / coverage run --source a test_a.py / conda run -n env pytest
timeout 60 npm test / env CI=1 go test ./... / CI=1 npm test / docker compose exec app pytest / xargs pytest
cd sub && npm test / bash -c "cd sub && pytest -q" / sh -c 'pytest 2>&1 | tail' / npm run build; npm test
`;

const OTHERS = `
cargo test / cargo t / cargo test --manifest-path sub/Cargo.toml / cargo --manifest-path sub/Cargo.toml test
cargo +nightly test / cargo nextest run / mvn test / mvn -f sub/pom.xml test / mvn -pl mod test / ./mvnw -q verify
mvn surefire:test / gradle :mod:test / ./gradlew -p sub test / gradlew.bat check / make test / make -C sub test
make -j 4 check / make build test-unit / dotnet test sub / ctest --test-dir build / bundle exec rspec
php vendor/bin/phpunit / composer test / mix test / swift test / zig build test / rake spec
`;

const NONE = `
echo pytest / pip install pytest / python -m pip install pytest / npm install jest / pnpm add vitest / yarn add jest
uv add pytest / poetry add pytest / apt-get install pytest / which pytest / cat test_a.py / rm test_a.py / rm -r test
ruff check test_a.py / prettier a.test.js / git log -- test_a.py / git commit -m "make pytest pass" / git add pytest
grep -rn "pytest|jest" . / rg jest src / python latest_news.py / python contest_a.py / python testing.py
python app.py test_input.txt / python app.py pytest / python -c "import pytest" pytest / node -e "jest" / python -m venv pytest
node a.mjs --test / node a.mjs b.test.mjs / npm run build / npm run contest / npm ci / npm --prefix test run build
pnpm -C test build / pnpm run tests-data / yarn workspace test build / go run . / go -C test build / go vet ./...
django test / cargo build / cargo add test / cargo test --no-run / mvn -pl test package / mvn verify -DskipTests
gradle build -x test / gradle -p test build / make / make -C test build / make -n test / dotnet build test
pytest --version / npx jest --help / ./test_all.sh / mytest / latest
`;

const linesOf = (table: string): readonly string[] => table.trim().split(/\n| \/ /);

describe('a command line runs tests', () => {
  it.each(linesOf(KNOWN))('of which a language knows the files: %s', (line) => {
    expect([runsTests(line), runsKnownTests(line)]).toEqual([true, true]);
  });

  it.each(linesOf(OTHERS))('of no language here, or of any: %s', (line) => {
    expect([runsTests(line), runsKnownTests(line)]).toEqual([true, false]);
  });

  it.each(linesOf(NONE))('or none: %s', (line) => {
    expect(runsTests(line)).toBe(false);
  });
});

test('a command runs only tests where its own program is known, and all that it is asked for is one', () => {
  const only = (line: string): boolean => onlyTests(line.split(' '));
  const lines = [
    'go -C sub test ./...',
    'npm --prefix sub test',
    'uv run pytest',
    'make -C sub test',
  ];
  expect(lines.filter((line) => !only(line))).toEqual([]);
  const others = [
    'make test deploy',
    'mvn clean test',
    'with-db pytest',
    'timeout 60 npm test',
    'python a.py pytest',
  ];
  expect(others.filter(only)).toEqual([]);
});

test('a long or odd line is read once', () => {
  const long = '-q '.repeat(100_000);
  expect([`pytest ${long}`, `xargs pytest ${long}`].filter(runsTests)).toHaveLength(2);
  const odd = [
    `a ${long}`,
    `a '${long}`,
    '"'.repeat(100_001),
    '"\\'.repeat(100_000),
    'npm '.repeat(100_000),
  ];
  expect([...odd, '', '""', "'", ';;', `${'npx '.repeat(5000)}jest`].filter(runsTests)).toEqual([]);
});

test.each([
  ['go test -race ./...', 'go test -C sub ./...', true],
  ['npm run test:unit', 'npm --prefix sub test', false],
  ['pnpm -r test', 'pnpm -C sub test', false],
  ['yarn test', 'yarn --cwd sub test', false],
  ['npx vitest run', 'npx vitest run --root sub', false],
  ['uv run python -m pytest -q', 'uv run python -m pytest sub', true],
  ['make check', 'make -C sub test', false],
  ['cargo t', 'cargo test --manifest-path sub/Cargo.toml', false],
  ['./gradlew test', './gradlew -p sub test', false],
  ['node --test', null, true],
  ['python -m unittest', null, true],
  ['python test_a.py', null, false],
  ['echo pytest', null, false],
])('%s: the tests of a folder, and whether it names them', (cmd, example, isNaming) => {
  expect([testsOfFolder(cmd, 'sub'), namesItsTests(cmd)]).toEqual([example, isNaming]);
});

test.each([
  ['cargo test max_fields', 'cargo test --workspace'],
  ['cargo +nightly t --lib -p core max -- --exact', 'cargo +nightly test --workspace'],
  [
    'CI=1 cargo test -r --features serde,std --test=one --target-dir out/x -- -F a',
    'CI=1 cargo test --workspace -r --features serde,std --target-dir out/x',
  ],
  ['cargo test --features=serde a', 'cargo test --workspace --features=serde'],
  ['cargo test --features "a b" c', null],
  ['npx vitest run -t max', null],
  ['cargo build', null],
])('%s: the same with all tests', (cmd, all) => {
  expect(allTestsOf(cmd)).toBe(all);
});

it.each([
  ['mvn -q -o test', 'mvn -o test'],
  ['./gradlew --quiet :core:test', './gradlew :core:test'],
  ['ctest --test-dir build -Q', 'ctest --test-dir build'],
  ['CI=1 mvn test', 'CI=1 mvn test'],
  ['cd core && mvn -q test', 'cd core && mvn -q test'],
  ['mvn -q "-Da=b c" test', 'mvn -q "-Da=b c" test'],
  ['pytest -q', 'pytest -q'],
])('%s: the same with its tests printed', (cmd, printing) => {
  expect(printingTests(cmd)).toBe(printing);
});
