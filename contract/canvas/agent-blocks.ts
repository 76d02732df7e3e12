import { z } from 'zod'
import { AgentRun } from '../agents/agent-runs.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { CONDITION_CHARACTERS_MAX } from './block-fields.ts'

/** The block's content is the instructions, `metadata.agentId` names the agent. */
export const agentBlocks = {
  run: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/blocks/:blockId/run',
    summary: 'Run an agent block',
    description:
      'The agent `metadata.agentId`, or the default agent, follows the instructions in `content`; its input is the content of upstream blocks. The server writes the state and the answer to `metadata`: `runId`, `sessionId`, `status`, `waitsFor`, `startedAt`, `finishedAt`, `cost`, `error` and `output`. On success, downstream agent blocks run next: `run` is then a `workflow` run whose children are the block runs. Returns CONFLICT with the `runId` while a block has an active run, for a block without instructions, and with the `path` of a cycle.',
    access: member({ edits: true }),
    params: z.object({ projectId: ProjectRef, blockId: Id }),
    body: z.object({
      downstream: z
        .boolean()
        .default(true)
        .describe('Also runs downstream agent blocks, each after its inputs'),
    }),
    output: z.object({ run: AgentRun }),
    status: 202,
    idempotent: true,
    limit: { name: 'messages', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
  testCondition: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/blocks/:blockId/test-condition',
    summary: 'Test a condition',
    description: 'Evaluates a condition over the block’s last output, as a workflow would. Changes nothing.',
    access: member({ edits: true }),
    params: z.object({ projectId: ProjectRef, blockId: Id }),
    body: z.object({ condition: text(1, CONDITION_CHARACTERS_MAX) }),
    output: z.object({
      isOpen: z.boolean(),
      error: z.string().nullable(),
      output: z.string().describe('The beginning of the output, as JSON'),
    }),
    limit: { name: 'test-condition', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
}
