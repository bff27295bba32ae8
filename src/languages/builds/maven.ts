/** Pure: what Maven may be asked to do with the project that exists when a run opens. */
import {
  type CommandRule,
  type CommandRules,
  hashesOf,
  pathsInside,
  refuse,
} from '../commands/command-rule.ts';
import { changedSteering, type SteeringFiles, unknownIn } from './as-taken.ts';

const MANIFEST = 'pom.xml';
/** Settings that name what Maven starts: plugins, extensions of itself, options of its own command line. */
const STARTS = [MANIFEST, '.mvn/extensions.xml', '.mvn/maven.config', '.mvn/jvm.config'];
const STEERING: SteeringFiles = {
  manifest: MANIFEST,
  compared: STARTS,
  is: (path) => /(?:^|\/)(?:pom\.xml|\.mvn\/[^/]+)$/.test(path),
};

/** Phases that build and test. A goal such as `exec:exec` runs what its options say. */
const PHASES = ['validate', 'compile', 'test-compile', 'test'];
/** Options that neither read other settings nor write elsewhere; of the properties only those that choose tests. */
const OPTIONS =
  /^(?:-[BqoeUX]|-ntp|-am|-amd|-fae|-ff|--(?:batch-mode|quiet|offline|errors|no-transfer-progress|also-make|also-make-dependents|fail-at-end|fail-fast)|-T\d+C?|-Dtest=.*|-D(?:surefire\.)?failIfNo\w*=\w+)$/;
const TAKING = ['-pl', '--projects', '-T'];

const mavenRule: CommandRule = (args, options) => {
  if (args.length === 1 && args[0] === '--version') return null;
  const isPhase = (word: string): boolean => PHASES.includes(word);
  const other = unknownIn(args, (word) => isPhase(word) || OPTIONS.test(word), TAKING);
  if (other !== undefined || !args.some(isPhase))
    return refuse(
      'mvn',
      `mvn ${other ?? 'without a phase'} is not allowed, only mvn ${PHASES.join(', ')}.`,
    );
  return changedSteering('mvn', STEERING, options) ?? pathsInside('mvn', args, options);
};

export const maven: CommandRules = {
  rules: { mvn: mavenRule },
  description: 'mvn compile|test',
  homeFolders: ['.m2/repository', '.m2/wrapper'],
  runExample: 'mvn test',
  verbs: { mvn: 'clean compile install package test verify' },
  denied: ['mvn deploy *'],
  builds: {
    files: [MANIFEST],
    take: (view) => (view.readText(MANIFEST) === null ? {} : hashesOf(STARTS, view)),
    verbs: (taken) => (taken[MANIFEST] === undefined ? [] : ['mvn compile|test']),
  },
};
