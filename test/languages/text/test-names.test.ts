import { expect, it } from 'vitest';
import { belongsToTests, configuresTests } from '../../../src/languages/languages.ts';

it.each([
  'calc_test.cc',
  'src/CalcTest.java',
  'test_calc.c',
  'MyApp.Tests/Calc.cs',
  'src/androidTest/Calc.kt',
  'Tests/CalcTests/Calc.swift',
  't/calc.t',
  'spec/calc_spec.rb',
  'lib/CalcSpec.scala',
  'check.bats',
  'HTTPClientTest.kt',
])('%s is a test by its name, whatever runs it', (path) => {
  expect(belongsToTests(path)).toBe(true);
});

it.each([
  'latest.c',
  'src/Contest.java',
  'attest/key.rs',
  'protest.rb',
  'src/Calc.java',
  'spec.md',
  'test-plan.md',
  'openapi.spec.yaml',
  'target/debug/test-lib-cart',
  'build/calc_test.o',
  'bin/MyApp.Tests.dll',
  'testing/calc.c',
])('%s is none', (path) => {
  expect(belongsToTests(path)).toBe(false);
});

it.each(['pom.xml', 'app/build.gradle.kts', 'Cargo.toml', 'MyApp.Tests/MyApp.Tests.csproj'])(
  '%s says how tests are run',
  (path) => {
    expect(configuresTests(path)).toBe(true);
  },
);
