import type { Plan } from '../../src/schema/plan.ts';
import { stepOf } from '../support/built-in-tools.ts';

export const PLAN: Plan = {
  fallback: false,
  tasks: [
    {
      id: '1',
      description: 'Create the script',
      subtasks: [
        {
          id: '1.1',
          step: stepOf('write_file', 'hello.js'),
          purpose: 'the script',
          checks: [{ type: 'file_exists', path: 'hello.js' }],
          status: 'completed',
        },
        {
          id: '1.2',
          step: stepOf('run_cmd', 'node hello.js'),
          purpose: 'see that it works',
          checks: [],
          status: 'in_progress',
        },
      ],
    },
    {
      id: '2',
      description: 'Describe it',
      subtasks: [
        {
          id: '2.1',
          step: stepOf('write_file', 'README.md'),
          purpose: 'the description',
          checks: [],
          status: 'pending',
        },
      ],
    },
  ],
  proof: { cmd: 'node hello.js', prints: 'Hello' },
};
