/** Maven builds and tests the project that was there when the run began; goals and properties of its own ask. */
import { describe, expect, it } from 'vitest';
import { judgeIn } from './support.ts';

const POM = { 'pom.xml': '<project/>\n', 'gson/pom.xml': '<project/>\n' };
const judge = judgeIn({ files: POM });

describe('mvn', () => {
  it.each([
    'mvn test',
    'mvn -B -q -o test',
    'mvn -B -pl gson -am test -Dtest=JsonArrayTest#testIndexOf',
    'mvn --projects gson test -Dtest=A -Dsurefire.failIfNoSpecifiedTests=false',
    'mvn -T 4 test-compile',
    'mvn --version',
  ])('%s runs without a question', (cmd) => {
    expect(judge(cmd)).toMatchObject({ kind: 'allow' });
  });

  it.each([
    'mvn',
    'mvn clean test',
    'mvn install',
    'mvn exec:java -Dexec.mainClass=x',
    'mvn test -DargLine=-javaagent:x.jar',
    'mvn test -Dmaven.test.failure.ignore=true',
    'mvn -f other.xml test',
    'mvn -s settings.xml test',
    'mvn -l out.log test',
    'mvn -Pother test',
    'mvn -pl -DargLine=-javaagent:x.jar test',
  ])('%s asks', (cmd) => {
    expect(judge(cmd).kind).toBe('ask');
  });

  it('never builds a module outside, and deploys only by a rule', () => {
    expect(judge('mvn -pl ../other test').kind).toBe('deny');
    expect(judge('mvn deploy').kind).toBe('deny');
  });

  it('asks where the run wrote what it would start', () => {
    const taken = { 'pom.xml': 'another' };
    expect(judgeIn({ files: POM, taken })('mvn test').reason).toContain('has changed: pom.xml');
    for (const path of ['gson/pom.xml', '.mvn/extensions.xml', 'gson/.mvn/jvm.config'])
      expect(judgeIn({ files: POM, changed: [path] })('mvn test').kind).toBe('ask');
    expect(judgeIn({ files: {} })('mvn test').reason).toContain('there was no pom.xml');
  });
});
