import { z } from 'zod'
import { Id } from '../fields.ts'

const ChangeKind = z.enum(['block', 'edge', 'file', 'memory'])

export const RunChange = z.object({
  kind: ChangeKind,
  id: Id,
  projectId: Id.nullable().describe(
    'Null for a file outside of projects, and for a memory of the organization',
  ),
  action: z.enum(['created', 'updated', 'deleted']),
  name: z
    .string()
    .nullable()
    .describe(
      'The title of a block or the beginning of its content; the label of an edge or its blocks; the name of a file; the key of a memory',
    ),
  before: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'The fields that the run changed, with the values before it; null for a created item. Of a file: name, folder, parentId, tags, mimeType, size, sha256 and trashed. Of a memory: key, content and tags',
    ),
  after: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The same fields with the values after the run'),
  isText: z
    .boolean()
    .describe('A file whose text `/runs/:id/changes/:fileId/text` returns as it was before and after'),
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
      'Why it is a conflict: edited since the run, deleted permanently, its former folder was deleted, or in use: the folder to remove contains files of others, or another memory has the key',
    ),
})
