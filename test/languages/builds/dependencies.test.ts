import { expect, it } from 'vitest';
import { withoutDependencies } from '../../../src/languages/builds/dependencies.ts';

const CARGO = `[package]
name = "cart"

[dependencies]
a = "1"

[lib]
doctest = true
`;
const POM = `<project><dependencies><dependency>a</dependency></dependencies>
<build><plugins><plugin>surefire<dependencies><dependency>b</dependency></dependencies></plugin></plugins></build></project>
`;

it.each([
  ['another dependency', 'Cargo.toml', CARGO, CARGO.replace('a = "1"', 'a = "1"\nb = "2"')],
  [
    'the first dependency of the tests, and of one system',
    'crates/x/Cargo.toml',
    CARGO,
    `${CARGO}\n[dev-dependencies] # for tests\nb = "2"\n[target.'cfg(unix)'.dependencies.c]\nversion = "3"\n`,
  ],
  [
    'the first dependency of a pom',
    'pom.xml',
    '<project>\n</project>\n',
    '<project>\n  <dependencies>\n    <dependency>a</dependency>\n  </dependencies>\n</project>\n',
  ],
  ['another version in a pom', 'x/pom.xml', POM, POM.replace('>a<', '>a2<')],
])('%s leaves no test out', (_what, path, before, after) => {
  const rest = withoutDependencies(path);
  expect(before).not.toBe(after);
  expect(rest?.(before)).toBe(rest?.(after));
});

it.each([
  ['a target beside a dependency', 'Cargo.toml', CARGO, `${CARGO}test = false\n`],
  ['a table behind the dependencies', 'Cargo.toml', CARGO, CARGO.replace('a = "1"', '[lib]')],
  ['what a plugin runs the tests with', 'pom.xml', POM, POM.replace('>b<', '>c<')],
  [
    'the same behind a comment',
    'pom.xml',
    `<!-- </plugins> -->${POM}`,
    `<!-- </plugins> -->${POM.replace('>b<', '>c<')}`,
  ],
  ['a property', 'pom.xml', POM, POM.replace('<project>', '<project><skipTests/>')],
])('%s may leave some out', (_what, path, before, after) => {
  const rest = withoutDependencies(path);
  expect(rest?.(before)).not.toBe(rest?.(after));
});

it('of another form nothing is known', () => {
  expect(withoutDependencies('build.gradle')).toBeNull();
});
