/** What is offered while somebody types in a conversation: commands, models, open questions and files. */

import { modelWords } from '../../host/models/model-spec.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { worldOf } from '../../round/files/world.ts';
import type { Session } from '../../sessions/session.ts';
import { ignoredByProject } from '../../workspace/git-ignored.ts';
import type { CommandContext } from '../command-context.ts';
import { oneLine } from '../render/text/text.ts';
import type { CompletionChoice, CompletionSource } from '../screen/complete.ts';
import { ownChoices, ownCommandsIn } from './own-commands.ts';
import { slashChoices } from './slash.ts';
import { OWN_NAMES, SLASH } from './slash-table.ts';

/** The most files that `@` finds outside the folder that is typed. */
const MAX_LISTED = 20_000;

/** @param changed called when more is known, such as which models exist */
export function offersIn(
  context: CommandContext,
  session: () => Session | null,
  changed: () => void,
): CompletionSource {
  let models: readonly CompletionChoice[] | null = null;
  const look = (): readonly CompletionChoice[] => {
    if (models === null) {
      models = [];
      modelsIn(context).then(
        (found) => {
          models = found;
          changed();
        },
        // Models that cannot be listed are not offered; their names can still be typed.
        () => {},
      );
    }
    return models;
  };
  const { workspace } = context.invocation;
  const own = untilNextMessage(session, () =>
    ownChoices(ownCommandsIn(context, OWN_NAMES).commands),
  );
  const files = untilNextMessage(session, () =>
    worldOf(nodeFileSystem, workspace, ignoredByProject(nodeFileSystem, workspace)).listed(
      MAX_LISTED,
      '',
    ),
  );
  return {
    commands: () => [...slashChoices(SLASH), ...own()],
    values: (command) => {
      if (command === 'model') return look();
      return command === 'approve' ? rulesAsked(session()) : null;
    },
    workspace,
    files,
  };
}

/** The menu is built again at each key, so what it lists is kept until the next message. */
function untilNextMessage<Value>(session: () => Session | null, look: () => Value): () => Value {
  let known: { readonly messages: number; readonly value: Value } | null = null;
  return () => {
    const messages = session()?.state.chat.messages ?? 0;
    if (known?.messages !== messages) known = { messages, value: look() };
    return known.value;
  };
}

/** In the form that `--model` takes. @param only lists this provider alone */
export async function modelsIn(
  { engine, invocation }: Pick<CommandContext, 'engine' | 'invocation'>,
  only?: { readonly provider: string; readonly baseUrl?: string | undefined },
): Promise<readonly CompletionChoice[]> {
  const { host = null } = invocation;
  const baseUrl = only?.baseUrl ?? invocation.baseUrl ?? null;
  const signal = new AbortController().signal;
  const asked = only === undefined ? {} : { provider: only.provider };
  const providers = await engine.listModels({ host, baseUrl, signal, ...asked });
  return providers.flatMap(({ provider, models }) =>
    models.map(({ name }) => {
      const isWhole = name.startsWith(`${provider}/`);
      return { text: isWhole ? name : modelWords({ provider, model: name }), about: '' };
    }),
  );
}

/** The rules that a yes to an open question would allow. */
function rulesAsked(session: Session | null): readonly CompletionChoice[] {
  const open = session?.state.permissions?.open ?? [];
  return open.flatMap(({ rules, target }) =>
    rules.map((rule) => ({ text: rule, about: `asked for: ${oneLine(target ?? '')}` })),
  );
}
