import { z } from 'zod'
import { AgentRun } from '../agents/agent-runs.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'

/** Blocks of type `agent`: their content is the instructions, and `metadata.agentId` names the agent. */
export const agentBlocks = {
  run: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/blocks/:blockId/run',
    summary: 'Run an agent block',
    description:
      'The agent `metadata.agentId`, or the default agent, follows the instructions in `content`; its input is the content of the blocks whose edges lead to the block. The server writes the state and the answer to `metadata`: `runId`, `sessionId`, `status`, `waitsFor`, `startedAt`, `finishedAt`, `cost`, `error` and `output`. Returns CONFLICT with the `runId` while a run of the block is active, and for a block without instructions.',
    access: member({ edits: true }),
    params: z.object({ projectId: ProjectRef, blockId: Id }),
    output: z.object({ run: AgentRun }),
    status: 202,
    idempotent: true,
    limit: { name: 'messages', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
}
