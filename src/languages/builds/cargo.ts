/** Pure: what cargo may be asked to do with the package that exists when a run opens. */
import {
  type CommandRule,
  type CommandRules,
  hashesOf,
  isFlag,
  pathsInside,
  refuse,
} from '../commands/command-rule.ts';
import { changedSteering, type SteeringFiles } from './as-taken.ts';

const MANIFEST = 'Cargo.toml';
/** Settings that name programs which cargo starts instead of its own, or code that builds run. */
const STARTS = [
  'build.rs',
  '.cargo/config.toml',
  '.cargo/config',
  'rust-toolchain',
  'rust-toolchain.toml',
];
const STEERING: SteeringFiles = {
  manifest: MANIFEST,
  compared: STARTS,
  is: (path) =>
    /(?:^|\/)(?:build\.rs|\.cargo\/config(?:\.toml)?|rust-toolchain(?:\.toml)?)$/.test(path),
};

const VERBS = ['build', 'b', 'test', 't', 'check', 'c', 'clippy', 'fmt'];
const ELSEWHERE = ['--config', '--manifest-path', '--fix', '-C', '-Z'];

const cargoRule: CommandRule = (args, options) => {
  if (args.length === 1 && /^(?:-V|--version)$/.test(args[0] ?? '')) return null;
  const [verb = ''] = args;
  if (!VERBS.includes(verb))
    return refuse(
      'cargo',
      `cargo ${verb} is not allowed, only cargo build, test, check, clippy and fmt.`,
    );
  if (verb === 'fmt' && args.includes('--all') && !args.includes('--check'))
    return refuse(
      'cargo',
      'cargo fmt --all is not allowed: it rewrites packages that lie elsewhere.',
    );
  // The words after `--` are files for rustfmt, so they count, too.
  const own = verb !== 'fmt' && args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const elsewhere = own.find((arg) => isFlag(arg, ELSEWHERE) || /^-[CZ]./.test(arg));
  if (elsewhere !== undefined) return refuse('cargo', `cargo ${elsewhere} is not allowed.`);
  return changedSteering('cargo', STEERING, options) ?? pathsInside('cargo', own, options);
};

export const cargo: CommandRules = {
  rules: { cargo: cargoRule },
  description: 'cargo build|test|check|clippy|fmt',
  homeFolders: ['.cargo/bin', '.cargo/registry', '.cargo/git', '.cargo/env', '.rustup'],
  runExample: 'cargo build',
  verbs: { cargo: 'add build check clippy doc fetch fmt run test update' },
  denied: ['cargo publish *', 'cargo yank *', 'cargo owner *'],
  builds: {
    files: [MANIFEST],
    take: (view) =>
      view.readText(MANIFEST) === null ? {} : { [MANIFEST]: '', ...hashesOf(STARTS, view) },
    verbs: (taken) => (taken[MANIFEST] === undefined ? [] : ['cargo build|test|check|clippy|fmt']),
  },
};
