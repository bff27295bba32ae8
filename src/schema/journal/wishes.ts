import * as z from 'zod';

/** What is asked for beside the goal. */
export const WISHES = {
  /** All that was asked for: the run is done where it has answered. */
  wants: z.literal('answer').optional(),
  /** What the run changes stays, however it ends. */
  keep: z.literal(true).optional(),
  /** Nothing is claimed without a test of its own that fails without the work. */
  withTests: z.literal(true).optional(),
};

/** Who plans and who works, as `provider/model`, where these are two. */
export const MODEL_ROLES = {
  models: z.object({ plan: z.string(), work: z.string() }).optional(),
};

/** What the model in use is asked for; left out: the work. */
export const MODEL_ROLE = { modelRole: z.literal('plan').optional() };
