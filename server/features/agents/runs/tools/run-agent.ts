import { z } from 'zod'
import { isolateName } from '../../../../../contract/text-with-names.ts'
import { conflict } from '../../../../errors.ts'
import type { RunTool } from '../state/run-tool.ts'

const MESSAGE_CHARACTERS_MAX = 20_000
const SUMMARY_CHARACTERS_MAX = 500

const input = z.strictObject({
  agent: z.string().min(1).max(100).describe('Agent name or id'),
  message: z
    .string()
    .min(1)
    .max(MESSAGE_CHARACTERS_MAX)
    .describe('The task with everything the agent needs: it does not see this conversation'),
  project: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Id or slug; default: this run’s project. After it has read untrusted content, no other is allowed',
    ),
})

export type RunAgentInput = z.output<typeof input>

/** The engine starts the child run in the call's transaction. */
export const runAgent: RunTool<RunAgentInput> = {
  name: 'run_agent',
  description:
    'Pass part of your work to another agent and get its answer. Several calls in one step run at the same time. An unknown name returns the agents’ names.',
  input,
  effect: 'transaction',
  risk: 'none',
  startsRun: true,
  summarize: ({ agent, message }) =>
    `Ask the agent ${isolateName(agent)}: ${message.slice(0, SUMMARY_CHARACTERS_MAX)}`,
  run: async () => {
    throw conflict('A child run answers this call')
  },
}
