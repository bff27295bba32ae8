/** Converts the input of a call to texts that a person can edit, and back. Pure. */
type Input = { readonly [name: string]: unknown };
export type Texts = { readonly [name: string]: string };

/** A string stays as it is; any other value becomes JSON. */
export const textsOf = (input: Input): Texts =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value, null, 1),
    ]),
  );

/** `fault`: why the texts cannot be sent, as a whole sentence. */
export function editedInput(
  before: Input,
  texts: Texts,
): { readonly input: Input } | { readonly fault: string } {
  // Entries, because a name may be one that every object has, such as `constructor`.
  const changed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(before)) {
    const text = texts[name] ?? '';
    try {
      changed.push([name, typeof value === 'string' ? text : JSON.parse(text)]);
    } catch {
      return { fault: `${name} is not JSON.` };
    }
  }
  return { input: Object.fromEntries(changed) };
}
