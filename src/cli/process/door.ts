import { credentialsIn, withoutCredentials } from '../../lib/text/addresses.ts';
import { redactor } from '../../llm/secrets/redactor.ts';
import { keysIn } from '../../llm/secrets/scrub.ts';
import { drawnOutput, inLine, withOwnCodesOnly } from '../render/text/text.ts';
import type { Sink, Terminal } from './terminal.ts';

/**
 * The one way out for text. Nothing sent to a terminal contains control characters except our own few, and
 * nothing contains a key in use. Renderers sanitise what they show; this is the last guard if one forgets.
 *
 * @param addresses that were given, with the credentials in them
 * @param keys in use that are not in the environment
 */
export function throughTheDoor(
  terminal: Terminal,
  addresses: readonly string[] = [],
  keys: readonly string[] = [],
): Terminal {
  const { stdout, stderr, env } = terminal;
  const { text: withoutKeys } = redactor([
    ...keysIn(env),
    ...keys,
    ...addresses.flatMap(credentialsIn),
  ]);
  const guarded = (sink: Sink, clean: (text: string) => string): Sink => ({
    ...sink,
    write: (text) => sink.write(withOwnCodesOnly(clean(text))),
  });
  return {
    ...terminal,
    stdout: guarded(stdout, withoutKeys),
    stderr: guarded(stderr, (text) => withoutCredentials(withoutKeys(text))),
    ...(terminal.alert === undefined
      ? {}
      : { alert: (words) => terminal.alert?.(inLine(withoutCredentials(withoutKeys(words)))) }),
    draw: (text) => terminal.draw(drawnOutput(withoutCredentials(withoutKeys(text)))),
    toFile: (text) => stdout.write(withoutKeys(text)),
  };
}
