/** Pure: expands `${NAME}` and `${NAME:-default}` in settings; `$${` stands for the characters themselves. */
import type { HostEnvironment } from '../host-environment.ts';

const PLACE = /\$(\$\{)|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|(\$\{)/g;

export type Expanded =
  | { readonly kind: 'text'; readonly text: string }
  /** For a variable that is not set, or a wrong reference. */
  | { readonly kind: 'fault'; readonly fault: string };

/** As in a shell, an empty variable counts as not set if there is a default. */
export function expand(text: string, env: HostEnvironment['env']): Expanded {
  let fault: string | null = null;
  const expanded = text.replace(PLACE, (all, literal, name, usual, broken) => {
    if (literal !== undefined) return literal;
    if (broken !== undefined) {
      fault ??= 'what follows ${ is not the name of a variable; $${ stands for the characters';
      return all;
    }
    const value = env[name];
    if (value !== undefined && (value !== '' || usual === undefined)) return value;
    if (usual === undefined) fault ??= `the environment variable ${name} is not set`;
    return usual ?? '';
  });
  return fault === null ? { kind: 'text', text: expanded } : { kind: 'fault', fault };
}

export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(PLACE)].flatMap(([, , name]) => (name === undefined ? [] : [name]));
