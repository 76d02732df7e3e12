import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id, queryInteger, tags, text } from '../fields.ts'
import { FileName, FileRecord } from './files.ts'

/** Per write. */
export const TEXT_CHARACTERS_MAX = 1_000_000
/** A character takes up to four bytes, and its JSON escape up to six. */
const BODY_BYTES_MAX = 6_291_456
/** Per read. */
export const READ_BYTES_MAX = 262_144

export const fileTexts = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/text',
    summary: 'Read a text file',
    description:
      'Returns a text file’s source, or the part selected by `offset` and `limit`. Parts end between two characters. Other files return BAD_REQUEST with the reason `not_text`: use their preview.',
    access: member({ scope: 'files:read' }),
    params: z.object({ id: Id }),
    query: z.object({
      offset: queryInteger(0, Number.MAX_SAFE_INTEGER, 0).describe('First byte to read'),
      limit: queryInteger(16, READ_BYTES_MAX, 65_536).describe('Maximum number of bytes to read'),
    }),
    output: z.object({
      id: Id,
      name: z.string(),
      mimeType: z.string(),
      size: z.int().describe('Size of the whole file in bytes'),
      text: z.string(),
      nextOffset: z.int().nullable().describe('`offset` of the next part; null at the end of the file'),
    }),
    envelope: true,
    tool: 'read',
  }),
  write: endpoint({
    method: 'POST',
    path: '/api/v1/files/text',
    summary: 'Write a text file',
    description:
      'Creates a UTF-8 file; its type follows from its file name extension. With `replace`, a file with exactly this name in the folder gets the new content and keeps its id, and its previous content becomes a version. Returns CONFLICT if several files there have this name.',
    access: member({ edits: true, scope: 'files:write' }),
    body: z.object({
      name: FileName.meta({ examples: ['notes.md'] }),
      text: text(0, TEXT_CHARACTERS_MAX, { trim: false }),
      parentId: Id.nullable()
        .optional()
        .describe('Parent folder; the organization’s root folder if null or absent'),
      projectId: Id.optional().describe('Creates it in this project’s folder'),
      tags: tags().optional().describe('For a new file'),
      replace: z.boolean().default(false),
    }),
    also: { 200: 'An existing file’s content was replaced' },
    output: FileRecord,
    status: 201,
    envelope: true,
    idempotent: true,
    bodyBytesMax: BODY_BYTES_MAX,
    tool: 'write',
  }),
}
