/** Opens conversations of the server as the command line does: with its user's settings and servers. */
import { type ChatHost, createChatHost } from '../../host/chat-host.ts';
import { defined } from '../../lib/defined.ts';
import type { TalkPort, TalkRequest } from '../../server/sessions/talk-port.ts';
import { chatRequestFor, openSessionModel } from '../chat/open-one.ts';
import { type CommandContext, withAccounts } from '../command-context.ts';
import type { Invocation } from '../command-line/invocation.ts';
import { configureInvocation } from '../configure.ts';
import { runTalkCommand } from './talk-commands.ts';

/** With the accounts from its user's settings. */
export function talkPortFor(context: CommandContext) {
  const host = createChatHost(withAccounts(context));
  return { port: talkPort(context, host), host };
}

const talkPort = (context: CommandContext, host: ChatHost): TalkPort => ({
  open: async (request) => {
    const { workspace, session: id, name, systemPrompt, signal, onEvent, ask, hooks } = request;
    const { servers: requested, hiddenFiles = [], messages, live, id: run } = request;
    const invocation = typedFor(context, request);
    const { configured } = await configureInvocation(invocation, context.terminal);
    const here = { ...context, invocation, configured };
    // Servers of a project need a person's yes at a terminal; the user's own servers need none.
    const servers = () => Promise.resolve(requested ?? configured.servers);
    const opening = { signal, onEvent, ask, hooks, servers, hiddenFiles };
    const opened = await openSessionModel(here, host, id, opening);
    try {
      const session = await host.open({
        ...(await chatRequestFor(here, opened, opening)),
        workspace,
        ...defined({ systemPrompt, messages, live }),
        ...(id !== null ? { resume: true, name: id } : defined({ name, run })),
      });
      return {
        session,
        command: (line, place) => runTalkCommand({ context: here, session }, line, place),
        close: async () => {
          await session.close();
          await opened.provider.close();
        },
      };
    } catch (error) {
      await opened.provider.close();
      throw error;
    }
  },
});

/** The options in the form in which they would be typed. */
function typedFor(
  { invocation }: CommandContext,
  { workspace, model, toolMode, temperature, maxIterations, effort }: TalkRequest,
): Invocation {
  const { host: listens, ...rest } = invocation;
  return {
    // For the server, `host` is the address where it listens.
    ...(invocation.command === 'serve' ? rest : { ...rest, host: listens }),
    command: 'chat',
    workspace,
    ...defined({ model, toolMode, temperature, maxIterations, effort }),
  };
}
