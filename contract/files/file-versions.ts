import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryFlag, queryInteger, Timestamp } from '../fields.ts'
import { FileRecord } from './files.ts'

/** The versions that are stored of one file, and for how long after another content replaced them. */
export const FILE_VERSIONS_MAX = 100
export const FILE_VERSION_DAYS = 180

const Version = z.object({
  version: z.int().describe('The number of the version, from 1'),
  current: z.boolean(),
  mimeType: z.string(),
  size: z.int(),
  sha256: z.string().nullable(),
  createdBy: Id.describe('Who wrote this content'),
  runId: Id.nullable(),
  createdAt: Timestamp,
})

const params = z.object({ id: Id })
const one = params.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) })
const SCOPE = { read: 'files:read', write: 'files:write' } as const

/** The contents that a file has had. A link has those of its target. */
export const fileVersions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/versions',
    summary: 'List the versions of a file',
    description: `Newest first; the first is the current one. The last ${FILE_VERSIONS_MAX} are stored, each for ${FILE_VERSION_DAYS} days after another content replaced it, and longer while the run that replaced it can be undone. They count against the storage of the organization.`,
    access: member({ scope: SCOPE.read }),
    params,
    query: z.object({ ...cursorQuery, limit: queryInteger(1, 100, 50) }),
    output: cursorPage(Version),
    envelope: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/versions',
    summary: 'Upload a new version of a file',
    description:
      'A `multipart/form-data` request with `file`. The file keeps its id, name, tags and folder; its type must fit its name.',
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
    summary: 'Download a version of a file',
    description:
      'Redirects to a signed URL that is valid for five minutes. `inline=true` returns the bytes, inline if the type is safe to display.',
    access: member({ scope: SCOPE.read }),
    params: one,
    query: z.object({ inline: queryFlag() }),
    also: { 302: 'Redirect to a signed URL' },
    output: z.null(),
    bytes: 'always',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/versions/:version/restore',
    summary: 'Restore a version of a file',
    description:
      'Gives the file the content of this version, as a new version. Returns CONFLICT if the file has this content already.',
    access: member({ edits: true, scope: SCOPE.write }),
    params: one,
    output: FileRecord,
    envelope: true,
    versioned: true,
  }),
}
