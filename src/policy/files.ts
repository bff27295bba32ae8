/**
 * Which files need consent before they are read or changed: files that may hold secrets, and files that
 * instruct programs or agents. Pure. For removals see `evidence/users-files.ts`.
 */
import { PUT_ASIDE } from '../journal/layout.ts';
import { STEERING_FILES } from '../languages/commands/programs.ts';
import { isSecretFile } from '../languages/files/secret-files.ts';
import { isStateFolder } from '../workspace/path-rules.ts';
import type { PathDoes } from './rules/rule.ts';

/** Files that an agent, a server or an editor reads before any person looks at them. */
const INSTRUCTIONS = [
  ...STEERING_FILES,
  ...'agents.md agent.md claude.md gemini.md .cursorrules .windsurfrules .aider.conf.yml .mcp.json .tardigrade.json .envrc .bashrc .profile .zshrc .gitlab-ci.yml .travis.yml azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile .pre-commit-config.yaml lefthook.yml'.split(
    ' ',
  ),
];
const INSTRUCTION_FOLDERS =
  '.github .husky .vscode .idea .zed .fleet .run .cargo .circleci .devcontainer .claude .cursor .codex .agents'.split(
    ' ',
  );
/** Starting a project with these files starts no program. */
const HARMLESS_FOR_GIT = /^\.git(?:ignore|keep)$/;

export const instructs = (path: string): boolean => {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  return (
    parts.some((part) => INSTRUCTION_FOLDERS.includes(part)) ||
    INSTRUCTIONS.includes(name) ||
    (name.startsWith('.git') && !HARMLESS_FOR_GIT.test(name))
  );
};

/** The same as plain names, for code that can match nothing else. */
export const INSTRUCTING_NAMES: readonly string[] = [
  ...INSTRUCTIONS,
  ...INSTRUCTION_FOLDERS,
  ...'.git .gitattributes .gitmodules'.split(' '),
];

export interface ProtectedFile {
  readonly reason: string;
  readonly isOffered: boolean;
}

/** Copies of the user's files that runs keep belong to the user: earlier contents, and what was read with consent. */
const isKept = (path: string): boolean => {
  const parts = path.split('/');
  const at = parts.findIndex((name) => isStateFolder(name.toLowerCase()));
  return at >= 0 && at < parts.length - 1 && parts[at + 1] !== PUT_ASIDE;
};

/** Why reading or changing a file needs consent; `null`: it does not. */
export function protectedFile(does: PathDoes, path: string): ProtectedFile | null {
  if (isSecretFile(path)) return { reason: `${path} may hold keys.`, isOffered: false };
  if (does === 'read' && isKept(path))
    return { reason: `${path} is kept by a run, and may hold keys.`, isOffered: false };
  return does === 'edit' && instructs(path)
    ? { reason: `${path} tells programs or agents what to do.`, isOffered: true }
    : null;
}
