import { z } from 'zod'
import { bySignature, endpoint, member } from '../endpoint.ts'
import { Id, queryFlag, queryInteger, Timestamp, tags, text } from '../fields.ts'
import { FileKnowledge } from '../knowledge/passages.ts'
import { FilePreview } from './previews.ts'

/** 100 MB. */
export const FILE_BYTES_MAX = 104_857_600
/** Counted from the root. */
export const FOLDER_DEPTH_MAX = 64

export const FileName = text(1, 255, { trim: false }).refine(
  (name) => !/[\r\n]/.test(name),
  'must not contain line breaks',
)

const Source = z.enum(['upload', 'folder', 'link'])

export const FileRecord = z.object({
  id: Id,
  name: z.string(),
  mimeType: z.string().describe('`inode/directory` for a folder; the target’s type for a link'),
  size: z.int(),
  parentId: Id.nullable().describe('Parent folder; null for the organization’s root folder'),
  projectId: Id.nullable().describe('Project whose folder contains it'),
  source: Source,
  targetFileId: Id.nullable().describe('Target of a link'),
  targetMissing: z.boolean().optional().describe('For a link: whether the target was deleted'),
  storageUrl: z.string().nullable().describe('Download path; null for a folder'),
  tags: z.array(z.string()),
  status: z.enum(['pending', 'ready']).describe('`pending` until the bytes are uploaded'),
  sha256: z.string().nullable(),
  protected: z.boolean().describe('Whether it cannot be renamed, moved or deleted, such as a project folder'),
  createdBy: Id,
  runId: Id.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp.nullable(),
})

const Ancestor = z.object({ id: Id, name: z.string() })

export const FileDetails = FileRecord.extend({
  ancestors: z.array(Ancestor).describe('Parent folders, starting at the root'),
  knowledge: FileKnowledge.nullable().describe(
    'What agents find in it; null for a folder or link, or before its upload is complete',
  ),
})

const ListedFile = FileRecord.extend({
  canRestore: z.boolean().optional().describe('For trashed files: whether you can restore it'),
  canPurge: z.boolean().optional().describe('For trashed files: whether you can permanently delete it'),
})

const FilePage = z.object({
  items: z.array(ListedFile),
  page: z.int(),
  limit: z.int(),
  nextCursor: z
    .string()
    .nullable()
    .describe(
      'Pass it as `cursor` to get the next page. In a large organization, a search page may have few or no items even if more follow',
    ),
})

const StartedUpload = z.object({
  file: FileRecord,
  uploadUrl: z
    .string()
    .optional()
    .describe('Send the bytes with PUT to this signed URL. Single use, valid for 15 minutes'),
})

const destination = {
  parentId: Id.nullable()
    .optional()
    .describe('Parent folder; the organization’s root folder if null or absent'),
  projectId: Id.optional().describe('Creates it in this project’s folder'),
}

const Create = z.object({
  name: FileName.optional().describe('Required, except for a link, where it defaults to the target’s name'),
  mimeType: z.string().max(255).optional().describe('Required for an upload'),
  size: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(FILE_BYTES_MAX, `must be at most ${FILE_BYTES_MAX} (100 MB)`)
    .optional()
    .describe('Exact number of bytes. Required for an upload'),
  ...destination,
  source: Source.default('upload'),
  targetFileId: Id.optional().describe('For a link: the target file'),
  reuse: z
    .boolean()
    .optional()
    .describe('For a folder: returns the one with this name, if there is one, instead of another'),
  tags: tags().optional(),
})

const params = z.object({ id: Id })
const signedUrl = z.object({ token: z.string().max(4000) })

export const files = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/files',
    summary: 'List files',
    description:
      'Lists a folder: folders first, then by name in natural order. `search` is a case-insensitive substring and includes all subfolders. `trashed` lists deleted files, newest first.',
    access: member({ scope: 'files:read' }),
    query: z.object({
      limit: queryInteger(1, 100, 50),
      page: queryInteger(1, 1_000_000, 1),
      cursor: z
        .string()
        .max(2000)
        .optional()
        .describe('`nextCursor` from the previous page; alternative to `page`'),
      search: text(1, 255, { trim: false }).optional(),
      parentId: Id.optional().describe('Folder to list; the organization’s root folder if absent'),
      projectId: Id.optional().describe('Lists this project’s folder'),
      source: Source.optional().describe('Returns only records of this kind'),
      tag: text(1, 80).optional().describe('Returns only files with this tag, including all subfolders'),
      sort: z.enum(['name', 'newest', 'largest']).default('name'),
      trashed: queryFlag(),
    }),
    output: FilePage,
    envelope: true,
    tool: 'read',
    standby: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/files',
    summary: 'Create a file, folder or link',
    description:
      'A JSON request creates a folder, a link or a presigned upload; send the upload’s bytes with PUT to `uploadUrl` as `application/octet-stream`. A `multipart/form-data` request with `file`, and optionally `parentId` or `projectId`, uploads the file in one step and returns its record.',
    access: member({ edits: true, scope: 'files:write' }),
    body: Create,
    multipart: z.object({
      parentId: z.union([z.literal('').transform(() => null), Id]).optional(),
      projectId: Id.optional(),
    }),
    output: z.union([StartedUpload, FileRecord]),
    status: 201,
    envelope: true,
    idempotent: true,
    tool: 'write',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id',
    summary: 'Get a file',
    description:
      '`download=true` redirects to a signed URL that is valid for five minutes. `download=true&inline=true` returns the bytes, inline if the type is safe to display.',
    access: member({ scope: 'files:read' }),
    params,
    query: z.object({ download: queryFlag(), inline: queryFlag() }),
    also: { 302: 'Redirect to a signed URL, for `download=true`' },
    output: FileDetails,
    envelope: true,
    versioned: true,
    bytes: 'sometimes',
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/files/:id',
    summary: 'Update a file',
    access: member({ edits: true, scope: 'files:write' }),
    params,
    body: z
      .object({
        name: FileName.optional().meta({ examples: ['Quarterly report.pdf'] }),
        parentId: Id.nullable().optional().describe('Destination folder; null for the root folder'),
        tags: tags().optional().describe('Replaces all tags'),
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
    summary: 'Delete a file',
    description:
      'Moves the file, or the folder with its contents, to the trash. `permanent=true` deletes a file that is in the trash and requires step-up.',
    access: member({
      edits: true,
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
    summary: 'Restore a file',
    description:
      'Restores it from the trash to its original folder, creating missing folders, or to `parentId`. A folder is restored with its contents.',
    access: member({ edits: true, scope: 'files:write' }),
    params,
    body: z.object({ parentId: Id.nullable().optional() }).optional(),
    output: FileRecord,
    envelope: true,
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/copy',
    summary: 'Copy a file',
    description: 'The copy shares the stored bytes and uses no additional storage.',
    access: member({ edits: true, scope: 'files:write' }),
    heavy: true,
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
    summary: 'Get a file preview',
    description:
      'Returns spreadsheets as rows, documents as sanitized HTML, and text and code as text. Supports files up to 25 MB; text is truncated at 512 KB.',
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
    summary: 'Download a folder as a ZIP archive',
    description:
      'An organization can download eight archives in parallel; another one returns RATE_LIMITED. A client that reads nothing for a minute is disconnected.',
    access: member({ scope: 'files:read' }),
    params,
    output: z.null(),
    bytes: 'archive',
  }),
}

/** Signed URLs, for a server that stores objects on its own disk. */
export const objects = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/objects/:token',
    summary: 'Download with a signed URL',
    access: bySignature(),
    params: signedUrl,
    output: z.null(),
    bytes: 'always',
  }),
  write: endpoint({
    method: 'PUT',
    path: '/api/v1/objects/:token',
    summary: 'Upload to a signed URL',
    access: bySignature(),
    params: signedUrl,
    raw: true,
    failures: ['CONFLICT'],
    output: FileRecord,
    envelope: true,
  }),
}
