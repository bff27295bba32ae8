import type { Generator } from '../generator.ts';
import { code } from '../programs-made.ts';
import { PEOPLE, SERVICES } from '../words.ts';
import { answers } from './answers.ts';

/** A value out of one of several configuration files, and who looks after it. */
export const port: Generator = {
  name: 'port',
  kind: 'question',
  languages: ['text'],
  kept: true,
  make: (random) => {
    const services = random.sample(SERVICES, 4);
    const people = random.sample(PEOPLE, 4);
    const folder = random.pick(['', 'deploy/', 'conf/']);
    const ending = random.pick(['.ini', '.conf', '.env']);
    const ports = services.map((_, at) => 3000 + at * 1000 + random.int(1, 999));
    const key = random.pick(['port', 'listen', 'PORT']);
    const given = Object.fromEntries(
      services.map((service, at) => [
        `${folder}${service}${ending}`,
        code([
          `name=${service}`,
          `owner=${people[at]}`,
          `${key}=${ports[at]}`,
          `timeout=${random.int(5, 90)}`,
        ]),
      ]),
    );
    const [service = ''] = services;
    const place = folder === '' ? 'here' : `in ${folder}`;
    const goal = random.pick([
      `At which port does the ${service} listen, and who owns it? The settings are ${place}.`,
      `The configuration files ${place} say which port every service uses. What is the one of ${service}, and who is the owner?`,
      `Who is responsible for ${service} and what is its port?`,
    ]);
    const [own = 0, other = 0] = ports;
    return {
      goal,
      given,
      judge: answers({
        words: [people[0] ?? ''],
        figures: [own],
        not: people.slice(1),
        notFigures: ports.slice(1),
      }),
      good: { answer: `${service} listens at port ${own}; ${people[0]} owns it.` },
      bad: [
        { answer: `${service} listens at port ${other}; ${people[0]} owns it.` },
        { answer: `Port ${own}, owned by ${people[2]}.` },
        { answer: 'The port stands in the settings file.' },
      ],
    };
  },
};
