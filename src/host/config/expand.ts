/** `${NAME}` and `${NAME:-default}` in settings, and `$${` for the characters themselves. Pure. */
import type { HostEnvironment } from '../host-environment.ts';

const PLACE = /\$(\$\{)|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|(\$\{)/g;

export type Expanded =
  | { readonly kind: 'text'; readonly text: string }
  /** Of a variable that is not set, or of what is none. */
  | { readonly kind: 'fault'; readonly fault: string };

/** As in a shell, a variable that is empty counts as not set where there is a default. */
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

/** The variables that a text reads. */
export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(PLACE)].flatMap(([, , name]) => (name === undefined ? [] : [name]));
