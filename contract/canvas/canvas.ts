import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, TimestampInput } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import {
  Block,
  BlockChange,
  BlockCreate,
  BlockState,
  CANVAS_ITEMS_MAX,
  Coordinate,
  Edge,
  EdgeChange,
  EdgeCreate,
  Length,
  Order,
} from './blocks.ts'
import { HistoryEntry, Snapshot } from './history-records.ts'

/** Enough for 1,000 positions, or a few long texts. */
const BODY_BYTES_MAX = 4_194_304

const runId = Id.optional().describe('Run that makes this change; it must be running')

const changesSomething = (change: object) => Object.values(change).some((value) => value !== undefined)

const params = z.object({ projectId: ProjectRef })
const Seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const blockParams = z.object({ projectId: ProjectRef, blockId: Id })
const edgeParams = z.object({ projectId: ProjectRef, edgeId: Id })
const itemsOf = <T extends z.ZodType>(item: T) =>
  z.array(item).max(CANVAS_ITEMS_MAX, `must have at most ${CANVAS_ITEMS_MAX} items`).default([])

const RestoreResult = z.object({
  snapshotId: Id.describe('State before the restore; restore this snapshot to undo'),
  created: z.int(),
  updated: z.int(),
  deleted: z.int(),
})

export const canvas = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/blocks',
    summary: 'Get the canvas',
    description:
      'All blocks and edges, or one page with `limit`; a page contains the edges that start at its blocks. Pass `seq` to `live` to receive later changes.',
    access: member({ share: 'view' }),
    params,
    query: z.object({
      limit: z.coerce
        .number({ error: 'must be a number' })
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(500, 'must be at most 500')
        .optional(),
      cursor: cursorQuery.cursor,
    }),
    output: z.object({
      items: z.array(Block),
      edges: z.array(Edge),
      nextCursor: z.string().nullable(),
      seq: z.int(),
    }),
    tool: 'read',
  }),
  outline: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/blocks/outline',
    summary: 'Get the canvas without contents',
    description:
      'All blocks with their titles and places, and the ends of all edges: what it takes to name and arrange them.',
    access: member({ share: 'view' }),
    params,
    output: z.object({
      items: z.array(
        Block.pick({
          id: true,
          type: true,
          title: true,
          parentId: true,
          x: true,
          y: true,
          width: true,
          height: true,
        }),
      ),
      edges: z.array(Edge.pick({ id: true, fromBlockId: true, toBlockId: true })),
      seq: z.int(),
    }),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/blocks',
    summary: 'Create a block',
    access: member({ edits: true, share: 'edit' }),
    params,
    body: BlockCreate.extend({ runId }),
    output: Block,
    status: 201,
    idempotent: true,
    bodyBytesMax: BODY_BYTES_MAX,
    tool: 'write',
  }),
  move: endpoint({
    method: 'PATCH',
    path: '/api/v1/projects/:projectId/blocks/positions',
    summary: 'Move blocks',
    description: 'Atomic. Every id must be a block in this project, and ids must be unique.',
    access: member({ edits: true, share: 'edit' }),
    params,
    body: z.object({
      positions: z
        .array(
          z.strictObject({
            id: Id,
            x: Coordinate,
            y: Coordinate,
            width: Length.optional(),
            height: Length.optional(),
            zIndex: Order.optional(),
            parentId: Id.nullable().optional(),
          }),
        )
        .min(1, 'must have at least 1 position')
        .max(CANVAS_ITEMS_MAX, `must have at most ${CANVAS_ITEMS_MAX} positions`),
      runId,
    }),
    output: z.object({
      items: z.array(Block),
      seq: z.int().optional().describe('Number of the latest change'),
    }),
    bodyBytesMax: BODY_BYTES_MAX,
    tool: 'write',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/projects/:projectId/blocks/:blockId',
    summary: 'Update a block',
    access: member({ edits: true, share: 'edit' }),
    params: blockParams,
    body: BlockChange.extend({ runId }).refine(({ runId: _runId, ...change }) => changesSomething(change), {
      error: 'must have at least one field to change',
    }),
    output: Block,
    versioned: true,
    bodyBytesMax: BODY_BYTES_MAX,
    tool: 'write',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:projectId/blocks/:blockId',
    summary: 'Delete a block',
    description: 'Also deletes its edges. Blocks in a deleted group stay on the canvas.',
    access: member({ edits: true, share: 'edit' }),
    params: blockParams,
    query: z.object({ runId }),
    output: z.object({ deleted: z.literal(true) }),
    tool: 'write',
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/blocks/:blockId/file',
    summary: 'Download a block’s file',
    description: 'Served inline if the type is safe to display. Also available to share link guests.',
    access: member({ scope: 'files:read', share: 'view' }),
    params: blockParams,
    output: z.null(),
    bytes: 'always',
  }),
  connect: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/edges',
    summary: 'Create an edge',
    access: member({ edits: true, share: 'edit' }),
    params,
    body: EdgeCreate.extend({ runId }),
    output: Edge,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
  disconnect: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:projectId/edges/:edgeId',
    summary: 'Delete an edge',
    access: member({ edits: true, share: 'edit' }),
    params: edgeParams,
    query: z.object({ runId }),
    output: z.object({ deleted: z.literal(true) }),
    tool: 'write',
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/v1/projects/:projectId/canvas',
    summary: 'Update the canvas',
    description: `Creates, updates and deletes blocks and edges in one atomic call, at most ${CANVAS_ITEMS_MAX} per kind. Blocks and edges can reference blocks created in the same call.`,
    access: member({ edits: true, share: 'edit' }),
    params,
    body: z.object({
      create: z
        .strictObject({ blocks: itemsOf(BlockCreate.strict()), edges: itemsOf(EdgeCreate.strict()) })
        .optional(),
      update: z
        .strictObject({
          blocks: itemsOf(BlockChange.extend({ id: Id }).strict()),
          edges: itemsOf(EdgeChange),
        })
        .optional(),
      delete: z.strictObject({ blocks: itemsOf(Id), edges: itemsOf(Id) }).optional(),
      runId,
    }),
    output: z.object({
      blocks: z.array(Block).describe('Created and updated blocks in their current state'),
      edges: z.array(Edge),
      deleted: z
        .object({ blocks: z.array(Id), edges: z.array(Id) })
        .describe('Includes the deleted blocks’ edges'),
      seq: z.int(),
    }),
    idempotent: true,
    bodyBytesMax: BODY_BYTES_MAX,
    tool: 'write',
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/history',
    summary: 'List canvas changes',
    description: 'Newest first.',
    access: member(),
    params,
    query: z.object({ ...cursorQuery, itemId: Id.optional(), runId: Id.optional() }),
    output: cursorPage(HistoryEntry),
    tool: 'read',
  }),
  at: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/history/:seq',
    summary: 'Get the canvas at a change',
    description:
      'Blocks and edges after this change, as a restore would create them; 0 is the empty canvas. Returns NOT_FOUND for a change that cannot be restored.',
    access: member(),
    heavy: true,
    params: params.extend({ seq: Seq }),
    output: z.object({ seq: z.int(), blocks: z.array(BlockState), edges: z.array(Edge) }),
    tool: 'read',
  }),
  prune: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/history/prune',
    summary: 'Prune canvas history',
    description:
      'Frees the quota `history`: removes the changes before a time, except the states of snapshots created by users and the state at that time. The canvas does not change. Runs before that time can no longer be undone; history starting with the first change by a run in progress is kept. Only the project’s creator, admins and owners can prune.',
    access: member({ edits: true }),
    heavy: true,
    params,
    body: z.object({
      before: TimestampInput.describe('Must not be in the future').meta({
        examples: ['2027-01-31T12:00:00Z'],
      }),
    }),
    output: z.object({
      removed: z.int().describe('Number of removed entries'),
      bytes: z.int().describe('Bytes of history freed'),
      seq: z.int().describe('Last change in the pruned part'),
    }),
  }),
  rewind: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/history/:seq/restore',
    summary: 'Restore the canvas to a change',
    description:
      'Restores the state after this change; 0 is the empty canvas. The restore is itself a change, and its snapshot can undo it.',
    access: member({ edits: true }),
    heavy: true,
    params: params.extend({ seq: Seq }),
    output: RestoreResult,
  }),
  snapshots: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/snapshots',
    summary: 'List canvas snapshots',
    description: 'Newest first. The server creates a snapshot before every restore.',
    access: member(),
    params,
    query: z.object(cursorQuery),
    output: cursorPage(Snapshot),
    tool: 'read',
  }),
  snapshot: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/snapshots',
    summary: 'Create a canvas snapshot',
    access: member({ edits: true }),
    heavy: true,
    params,
    body: z.object({ name: displayName(1, 255).nullable().optional() }),
    output: Snapshot,
    status: 201,
    idempotent: true,
    tool: 'write',
  }),
  restoreSnapshot: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/snapshots/:snapshotId/restore',
    summary: 'Restore a canvas snapshot',
    access: member({ edits: true }),
    heavy: true,
    params: params.extend({ snapshotId: Id }),
    output: RestoreResult,
  }),
}
