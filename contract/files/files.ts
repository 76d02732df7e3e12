import { z } from 'zod'
import { bySignature, endpoint, member } from '../endpoint.ts'
import { Id, queryFlag, queryInteger, Timestamp, tags, text } from '../fields.ts'
import { FilePreview } from './previews.ts'

/** 100 MB, the largest file there can be. */
export const FILE_BYTES_MAX = 104_857_600
/** How deep folders may be nested, counted from the root. */
export const FOLDER_DEPTH_MAX = 64

export const FileName = text(1, 255, { trim: false })
  .refine((name) => !/[\r\n]/.test(name), 'must not contain line breaks')
  .refine((name) => name.trim() !== '', 'must not be blank')

const Source = z.enum(['upload', 'folder', 'link'])

export const FileRecord = z.object({
  id: Id,
  name: z.string(),
  mimeType: z.string().describe('`inode/directory` for a folder; a link has the type of its target'),
  size: z.int(),
  parentId: Id.nullable().describe('The folder it is in; null in the root of the organization'),
  projectId: Id.nullable().describe('The project whose folder it is in'),
  source: Source,
  targetFileId: Id.nullable().describe('What a link points at'),
  targetMissing: z.boolean().optional().describe('On links: the target is in the trash, or gone'),
  storageUrl: z.string().nullable().describe('Where its bytes can be asked for; null for a folder'),
  tags: z.array(z.string()),
  status: z.enum(['pending', 'ready']).describe('`pending` until the bytes have arrived'),
  sha256: z.string().nullable(),
  protected: z.boolean().describe('Cannot be renamed, moved or deleted, such as the folder of a project'),
  createdBy: Id,
  runId: Id.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp.nullable(),
})

const Ancestor = z.object({ id: Id, name: z.string() })

/** One file closely: the record, and the folders that lead to it. */
export const FileDetails = FileRecord.extend({
  ancestors: z.array(Ancestor).describe('The folders from the root down to it'),
})

const FilePage = z.object({
  items: z.array(FileRecord),
  page: z.int(),
  limit: z.int(),
  nextCursor: z.string().nullable().describe('Reaches the next page at the same cost however deep it is'),
})

const Started = z.object({
  file: FileRecord,
  uploadUrl: z.string().optional().describe('Where to PUT the bytes, once, within 15 minutes'),
})

const Place = {
  parentId: Id.nullable().optional().describe('A folder; the root of the organization if null or absent'),
  projectId: Id.optional().describe('Puts it into the folder of this project'),
}

const Create = z.object({
  name: FileName.optional().describe('Required, except for a link, which takes the name of its target'),
  mimeType: z.string().max(255).optional().describe('Required for an upload'),
  size: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(FILE_BYTES_MAX, `must be at most ${FILE_BYTES_MAX} (100 MB)`)
    .optional()
    .describe('Bytes; required for an upload, and exact'),
  ...Place,
  source: Source.default('upload'),
  targetFileId: Id.optional().describe('For a link: the file to point at'),
  tags: tags().optional(),
})

const params = z.object({ id: Id })
const ticket = z.object({ ticket: z.string().max(4000) })

export const files = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/files',
    summary: 'List a folder, search below it, or list the trash',
    description:
      'Folders first, then by name, numbers in names in their natural order. `search` is literal, ignores case, and looks through everything below the folder. `trashed` lists what was deleted, newest first.',
    access: member({ scope: 'files:read' }),
    query: z.object({
      limit: queryInteger(1, 100, 50),
      page: queryInteger(1, 1_000_000, 1),
      cursor: z
        .string()
        .max(2000)
        .optional()
        .describe('The `nextCursor` of the page before; instead of `page`'),
      search: text(1, 255, { trim: false }).optional(),
      parentId: Id.optional().describe('A folder; the root of the organization if absent'),
      projectId: Id.optional().describe('Looks in the folder of this project'),
      source: Source.optional().describe('Only records of this kind'),
      tag: text(1, 80).optional().describe('Only what carries this tag, anywhere below the folder'),
      sort: z.enum(['name', 'newest', 'largest']).default('name'),
      trashed: queryFlag(),
    }),
    output: FilePage,
    envelope: true,
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/files',
    summary: 'Upload a file, make a folder, or make a link',
    description:
      'As JSON, an upload is announced and its bytes are then sent with PUT to `uploadUrl` as `application/octet-stream`. As a form (`multipart/form-data` with `file`, and `parentId` or `projectId`) the bytes come along, and the answer is the record itself.',
    access: member({ scope: 'files:write' }),
    body: Create,
    multipart: z.object({
      parentId: z.union([z.literal('').transform(() => null), Id]).optional(),
      projectId: Id.optional(),
    }),
    output: z.union([Started, FileRecord]),
    status: 201,
    envelope: true,
    idempotent: true,
    tool: 'write',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id',
    summary: 'Read a file’s record, or its bytes',
    description:
      'With `download=true` a redirect to an address that holds the bytes for five minutes; with `inline=true` as well, the bytes themselves, shown rather than saved where the type is harmless.',
    access: member({ scope: 'files:read' }),
    params,
    query: z.object({ download: queryFlag(), inline: queryFlag() }),
    output: FileDetails,
    envelope: true,
    versioned: true,
    bytes: 'sometimes',
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/files/:id',
    summary: 'Rename, move or retag',
    access: member({ scope: 'files:write' }),
    params,
    body: z
      .object({
        name: FileName.optional().meta({ examples: ['Quarterly report.pdf'] }),
        parentId: Id.nullable().optional().describe('The folder to move to; null is the root'),
        tags: tags().optional().describe('Replaces the list'),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have name, parentId or tags',
      }),
    output: FileRecord,
    envelope: true,
    versioned: true,
    tool: 'write',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/files/:id',
    summary: 'Move to the trash, or delete for good',
    description:
      'A folder takes everything in it along. `permanent=true` is for what is in the trash already, and for people who have just proved who they are.',
    access: member({
      scope: 'files:write',
      steppedUpIf: { query: 'permanent', area: 'Permanent deletion' },
    }),
    params,
    query: z.object({ permanent: queryFlag() }),
    output: z.object({ deleted: z.literal(true), permanent: z.boolean() }),
    envelope: true,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/restore',
    summary: 'Bring back from the trash',
    description:
      'Back to where it was, with the folders that are no longer there made anew; or to `parentId`. A folder brings back what it took along.',
    access: member({ scope: 'files:write' }),
    params,
    body: z.object({ parentId: Id.nullable().optional() }).optional(),
    output: FileRecord,
    envelope: true,
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/copy',
    summary: 'Copy a file',
    description: 'The copy shares the stored bytes, so it takes no further space.',
    access: member({ scope: 'files:write' }),
    params,
    body: z.object({ name: FileName.optional(), parentId: Id.nullable().optional() }).optional(),
    output: FileRecord,
    status: 201,
    envelope: true,
    idempotent: true,
    tool: 'write',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/preview',
    summary: 'Read a file as a person would see it',
    description:
      'Spreadsheets as rows, documents as harmless HTML, text and code as text. Of files up to 25 MB; text is cut at 512 KB.',
    access: member({ scope: 'files:read' }),
    params,
    output: FilePreview,
    envelope: true,
    versioned: true,
    tool: 'read',
  }),
  archive: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/archive',
    summary: 'Download a folder as a zip file',
    access: member({ scope: 'files:read' }),
    params,
    output: z.null(),
    bytes: 'always',
  }),
}

/** Where stored bytes go in and out when objects are kept on this server’s own disk. */
export const objects = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/objects/:ticket',
    summary: 'Download by a signed address',
    access: bySignature(),
    params: ticket,
    output: z.null(),
    bytes: 'always',
  }),
  write: endpoint({
    method: 'PUT',
    path: '/api/v1/objects/:ticket',
    summary: 'Send the bytes of an announced upload',
    access: bySignature(),
    params: ticket,
    raw: true,
    output: FileRecord,
    envelope: true,
  }),
}
