import * as z from 'zod';

/** What is requested in addition to the goal. */
export const WISHES = {
  /** Only an answer is wanted: the run is done once it has answered. */
  wants: z.literal('answer').optional(),
  /** The run's changes stay, however it ends. */
  keep: z.literal(true).optional(),
  /** Nothing is claimed without a test of the run's own that fails without the work. */
  withTests: z.literal(true).optional(),
};

/** What is requested when a run begins, and never later. */
export const FIRST_WISHES = {
  /** A person must approve the plan before any work. */
  agreePlan: z.literal(true).optional(),
  /** The command by which the person proves the goal; it is the proof of every plan. */
  proof: z.string().optional(),
};

/** Which models plan and work, as `provider/model`, if they differ. */
export const MODEL_ROLES = {
  models: z.object({ plan: z.string(), work: z.string() }).optional(),
};

/** The role of the model in use; left out: the work. */
export const MODEL_ROLE = { modelRole: z.literal('plan').optional() };
