import { z } from 'zod'
import { Id } from '../fields.ts'

const ChangeKind = z.enum(['block', 'edge', 'file', 'memory', 'table'])

export const RunChange = z.object({
  kind: ChangeKind,
  id: Id,
  projectId: Id.nullable().describe('Null for a file outside projects and for an organization memory'),
  action: z.enum(['created', 'updated', 'deleted']),
  name: z
    .string()
    .nullable()
    .describe(
      'A block’s title or the start of its content; an edge’s label or its blocks; a file’s or table’s name; a memory’s key',
    ),
  before: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'Fields that the run changed, with their values before it; null for a created item. Files have name, folder, parentId, tags, mimeType, size, sha256 and trashed; memories have key, content and tags; tables have changed settings, and `rows` with the number of created, updated and deleted rows',
    ),
  after: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The same fields with their values after the run'),
  isText: z
    .boolean()
    .describe('Whether `/runs/:id/changes/:fileId/text` returns the file’s text before and after the run'),
})

export const UndoneItem = z.object({
  kind: ChangeKind,
  id: Id,
  name: z.string().nullable(),
  action: z
    .enum(['reverted', 'recreated', 'removed', 'skipped'])
    .describe('`recreated` includes files restored from the trash; `removed` files are in the trash'),
  isConflict: z.boolean(),
  reason: z
    .enum(['edited_since', 'purged', 'folder_missing', 'in_use'])
    .nullable()
    .describe(
      'Why it conflicts: edited since the run, permanently deleted, its former folder was deleted, or in use (the folder to remove contains other members’ files, or another memory has the key, or another table the name)',
    ),
})
