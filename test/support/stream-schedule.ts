/** Everything that may happen to a world of streams, as the dice say, and what each client then lacks. */
import { isEarlier, StreamClient } from './stream-client.ts';
import { type Roll, StreamWorld, settle } from './stream-world.ts';

const KINDS = [
  { isOwn: true, records: true, pieces: true, holds: false },
  { isOwn: true, records: false, pieces: true, holds: false },
  { isOwn: true, records: false, pieces: false, holds: false },
  { isOwn: false, records: false, pieces: true, holds: false },
  { isOwn: false, records: true, pieces: true, holds: false },
  { isOwn: false, records: false, pieces: false, holds: false },
  { isOwn: false, records: false, pieces: true, holds: true },
];

/** Each die is used once; the rest goes well. */
const rolling = (dice: readonly number[]) => {
  let next = 0;
  const roll: Roll = (sides) => (dice[next++] ?? 0) % sides;
  return { roll, isLeft: () => next < dice.length };
};

async function step(world: StreamWorld, clients: readonly StreamClient[]): Promise<void> {
  const { roll } = world;
  const one = clients[roll(clients.length)] as StreamClient;
  const die = roll(40);
  if (die < 18) world.work();
  else if (die < 25) world.arrive(1 + roll(4));
  else if (die === 25) world.arrive(Number.POSITIVE_INFINITY);
  else if (die < 28) world.pass(250);
  else if (die < 30) world.breakChannels();
  else if (die < 32) one.cut();
  else if (die < 36) one.connect();
  else if (die === 36) one.slow(roll(3));
  else if (die === 37) world.stop('gone');
  else if (die === 38) {
    for (const client of clients) client.cut();
    world.startServer();
  } else for (const client of clients) client.read(false);
  await settle();
}

export async function faultsOf(
  dice: readonly number[],
  isChat: boolean,
): Promise<readonly string[]> {
  const { roll, isLeft } = rolling(dice);
  const world = new StreamWorld(roll, isChat);
  const clients = KINDS.filter(({ holds }) => isChat || !holds).map(
    (kind) => new StreamClient(world, kind),
  );
  try {
    for (const client of clients) client.connect();
    while (isLeft()) await step(world, clients);
    for (const client of clients) client.slow(0);
    for (let left = 200; left > 0 && !(world.isOver && (isChat || !world.isAtWork)); left -= 1)
      world.work();
    // Whoever has not come back does so now.
    for (let round = 0; round < 4; round += 1) {
      world.arrive(Number.POSITIVE_INFINITY);
      world.pass(1000);
      await settle();
      for (const client of clients) client.connect();
      await settle();
      for (const client of clients) client.read(true);
    }
    return clients.flatMap((client) => [...client.faults, ...missing(world, client)]);
  } finally {
    for (const client of clients) client.cut();
    world.close();
  }
}

function missing(world: StreamWorld, { kind, from, told, questions, isAtEnd }: StreamClient) {
  const due = world.journal.events
    .filter(({ id }) => isEarlier(from, id))
    .flatMap(({ event }) => {
      const { type, seq } = event;
      if (type === 'record') return kind.records ? [`${seq} record`] : [];
      if (kind.isOwn) return [`${seq} ${type}`];
      if (type === 'tool_result') return [event.callId];
      return type === 'person_said' ? [type] : type === 'message_ended' ? ['completed'] : [];
    });
  const heard = world.isChat ? told : told.filter((one) => one !== 'completed');
  const name = JSON.stringify(kind);
  return [
    ...(`${heard}` === `${due}` ? [] : [`${name} has ${heard}, not ${due}`]),
    ...(kind.isOwn && questions.size > 0 ? [`${name} has a question`] : []),
    ...(world.isChat || isAtEnd ? [] : [`${name} is not told of the end`]),
  ];
}
