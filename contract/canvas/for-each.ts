import { z } from 'zod'
import { AgentRun } from '../agents/agent-runs.ts'
import { OutputSchema } from '../agents/output-schema.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, text } from '../fields.ts'
import { Money, ProjectRef } from '../projects/projects.ts'
import { ForEach } from './block-steps.ts'

export const ITEM_STATES = ['queued', 'running', 'done', 'failed'] as const

const params = z.object({ id: Id })

const ItemList = z.object({
  id: Id,
  blockId: Id,
  title: z.string(),
  total: z.int().describe('Items listed so far'),
  running: z.int(),
  done: z.int(),
  failed: z.int(),
  cost: Money,
  estimate: Money.nullable().describe(
    'What the remaining items cost if they cost the average; null before the first item ends',
  ),
  isPreview: z.boolean().describe('Only the first items run until `POST /runs/:id/continue`'),
})

const ListItem = z.object({
  listId: Id,
  n: z.int().describe('From 1'),
  label: z.string(),
  value: z.unknown(),
  state: z
    .enum(ITEM_STATES)
    .describe('`queued` items of a run that has ended did not run; a retry runs them and the failed ones'),
  attempts: z.int(),
  runId: Id.nullable(),
  sessionId: Id.nullable(),
  output: z.unknown().describe('The result: data, or a text'),
  error: z.string().nullable(),
  cost: Money,
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
})

/** Blocks that repeat over a list. */
export const forEach = {
  start: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/for-each',
    summary: 'Run instructions for each item',
    description:
      'Starts a workflow that runs an agent once for each item, without a block on the canvas. With `preview`, only the first items run until `POST /runs/:id/continue`. `POST /runs/:id/retry` runs the failed items again, `POST /runs/:id/cancel` stops.',
    access: member({ edits: true }),
    params: z.object({ projectId: ProjectRef }),
    body: ForEach.extend({
      instructions: text(1, 100_000, { trim: false }),
      agentId: Id.optional().describe('The default agent if absent'),
      title: text(1, 255).optional(),
      outputSchema: OutputSchema.optional().describe('Format of each result. Defaults to the agent’s'),
    }),
    output: z.object({ run: AgentRun }),
    status: 202,
    idempotent: true,
    limit: { name: 'messages', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
  continue: endpoint({
    method: 'POST',
    path: '/api/v1/runs/:id/continue',
    summary: 'Continue after a preview',
    description: 'Runs the remaining items. Returns CONFLICT unless the run has a preview.',
    access: member({ edits: true }),
    params,
    output: AgentRun,
  }),
  lists: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/lists',
    summary: 'List what a run repeats over',
    description:
      'One list for each block that repeats, with its progress and an estimate of the remaining cost.',
    access: member(),
    params,
    output: z.object({ items: z.array(ItemList) }),
    tool: 'read',
  }),
  items: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/items',
    summary: 'List items and their results',
    description: 'In order.',
    access: member(),
    params,
    query: z.object({
      ...cursorQuery,
      listId: Id.optional().describe('The first list if absent'),
      state: z.enum(ITEM_STATES).optional(),
    }),
    output: cursorPage(ListItem),
    tool: 'read',
  }),
}
