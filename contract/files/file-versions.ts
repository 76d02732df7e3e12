import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryFlag, queryInteger, Timestamp } from '../fields.ts'
import { FileName, FileRecord } from './files.ts'
import { FilePreview } from './previews.ts'
import { VERSION_DAYS_DEFAULT } from './retention.ts'

export const FILE_VERSIONS_MAX = 100
/** Per call. */
export const NAMES_MAX = 500

const Version = z.object({
  version: z.int().describe('Version number, from 1'),
  current: z.boolean(),
  mimeType: z.string(),
  size: z.int(),
  sha256: z.string().nullable(),
  createdBy: Id.describe('Who wrote this content'),
  runId: Id.nullable(),
  createdAt: Timestamp,
})

const params = z.object({ id: Id })
const versionParams = params.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) })
const SCOPE = { read: 'files:read', write: 'files:write' } as const

/** A link has its target's versions. */
export const fileVersions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/versions',
    summary: 'List file versions',
    description: `Newest first; the first is the current one. The last ${FILE_VERSIONS_MAX} are stored, each for the organization’s retention period after it was replaced (default: ${VERSION_DAYS_DEFAULT} days), and longer while the run that replaced it can be undone. They count toward the organization’s storage.`,
    access: member({ scope: SCOPE.read }),
    params,
    query: z.object({ ...cursorQuery, limit: queryInteger(1, 100, 50) }),
    output: cursorPage(Version),
    envelope: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/versions',
    summary: 'Upload a new file version',
    description:
      'A `multipart/form-data` request with `file`. The file keeps its id, name, tags and folder; its type must match its name.',
    access: member({ edits: true, scope: SCOPE.write }),
    params,
    multipart: z.object({}),
    output: FileRecord,
    status: 201,
    envelope: true,
    idempotent: true,
    versioned: true,
    failures: ['CONFLICT'],
  }),
  content: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/versions/:version',
    summary: 'Download a file version',
    description:
      'Redirects to a signed URL that is valid for five minutes. `inline=true` returns the bytes, inline if the type is safe to display.',
    access: member({ scope: SCOPE.read }),
    params: versionParams,
    query: z.object({ inline: queryFlag() }),
    also: { 302: 'Redirect to a signed URL' },
    output: z.null(),
    bytes: 'always',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/versions/:version/preview',
    summary: 'Get a file version’s preview',
    description: 'Like a file’s preview. Opens what a citation quotes after the file has changed.',
    access: member({ scope: SCOPE.read }),
    params: versionParams,
    output: FilePreview,
    envelope: true,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/versions/:version/restore',
    summary: 'Restore a file version',
    description:
      'Restores this version’s content as a new version. Returns CONFLICT if the file already has this content.',
    access: member({ edits: true, scope: SCOPE.write }),
    params: versionParams,
    output: FileRecord,
    envelope: true,
    versioned: true,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/files/:id/versions/:version',
    summary: 'Delete a file version',
    description:
      'Permanently deletes earlier content. For the member who wrote it, members who can permanently delete the file, and admins. Returns CONFLICT for the current version: restore another one first. A run that replaced this content can no longer restore it.',
    access: steppedUp('Permanent deletion', { edits: true }),
    params: versionParams,
    output: z.object({ deleted: z.literal(true) }),
    envelope: true,
  }),
  find: endpoint({
    method: 'POST',
    path: '/api/v1/files/find',
    summary: 'Find files by name',
    description:
      'Returns the files and folders in one folder that have one of these exact names, so that an upload can become a new version instead of a second file with the same name.',
    access: member({ scope: SCOPE.read }),
    body: z.object({
      parentId: Id.nullable().optional().describe('Folder; the organization’s root folder if null or absent'),
      names: z
        .array(FileName)
        .min(1, 'must have a name')
        .max(NAMES_MAX, `must have at most ${NAMES_MAX} names`),
    }),
    output: z.object({
      items: z.array(
        z.object({
          id: Id,
          name: z.string(),
          source: z.enum(['upload', 'folder', 'link']),
          size: z.int(),
          sha256: z.string().nullable(),
          updatedAt: Timestamp,
        }),
      ),
    }),
    envelope: true,
  }),
}
