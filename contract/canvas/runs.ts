import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryFlag, Timestamp, text } from '../fields.ts'
import { Money, ProjectRef } from '../projects/projects.ts'

const Status = z.enum(['queued', 'running', 'waiting', 'succeeded', 'failed', 'canceled'])

export const Run = z.object({
  id: Id,
  projectId: Id,
  title: z.string().nullable(),
  status: Status,
  error: z.string().nullable(),
  cost: Money,
  createdBy: Id,
  createdAt: Timestamp,
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  restoredAt: Timestamp.nullable().describe('When its changes to the canvas were reverted'),
})

const params = z.object({ projectId: ProjectRef })
const runParams = z.object({ projectId: ProjectRef, runId: Id })

/** A run groups an agent's changes, so they can be listed and reverted together. */
export const runs = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/runs',
    summary: 'List runs',
    description: 'Newest first.',
    access: member(),
    params,
    query: z.object({ ...cursorQuery, status: Status.optional() }),
    output: cursorPage(Run),
    tool: 'read',
    standby: true,
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/runs',
    summary: 'Start a run',
    description: 'Pass its id as `runId` in calls that change the canvas.',
    access: member({ edits: true }),
    params,
    body: z.object({
      title: text(1, 255).nullable().optional(),
      status: z.enum(['queued', 'running']).default('running'),
    }),
    output: Run,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/runs/:runId',
    summary: 'Get a run',
    access: member(),
    params: runParams,
    output: Run,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/projects/:projectId/runs/:runId',
    summary: 'Update a run',
    description:
      'Returns CONFLICT if the run has ended, and for agent runs, which the server executes. The cost is added to the project’s spend.',
    access: member({ edits: true }),
    params: runParams,
    body: z.object({
      status: z.enum(['running', 'succeeded', 'failed', 'canceled']),
      error: text(1, 5000).nullable().optional().describe('Why it failed'),
      cost: z
        .string()
        .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a decimal such as 0.0125')
        .optional()
        .describe('Total cost in US dollars')
        .meta({ examples: ['0.0125'] }),
    }),
    output: Run,
    tool: 'write',
  }),
  restoreLast: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/restore-last-run',
    summary: 'Revert the last failed run',
    description:
      'Reverts the run’s changes to the canvas, and to files if one of this server’s agents made them. Returns NOT_FOUND without a failed run, CONFLICT while a run is in progress, and CONFLICT with a list of `blocks` and `files` that were edited since, unless `force=true`.',
    access: member({ edits: true }),
    heavy: true,
    params,
    query: z.object({ force: queryFlag() }),
    output: z.object({
      runId: Id,
      blocks: z.array(z.object({ id: Id, action: z.enum(['reverted', 'recreated', 'removed']) })),
      files: z.array(z.object({ id: Id, action: z.enum(['reverted', 'recreated', 'removed', 'skipped']) })),
      snapshotId: Id,
    }),
    tool: 'write',
  }),
}
