import { z } from 'zod'
import { anonymous, attemptsPerIp, bySignature, endpoint, member, steppedUp } from '../endpoint.ts'
import {
  cursorPage,
  cursorQuery,
  Id,
  LinkPassword,
  queryFlag,
  queryInteger,
  Timestamp,
  TimestampInput,
  text,
} from '../fields.ts'
import { FilePreview } from './previews.ts'

export const PUBLIC_LINKS_MAX = 20
export const PUBLIC_LINK_CREATORS = ['members', 'admins', 'nobody'] as const

const PublicLink = z.object({
  id: Id,
  fileId: Id,
  fileName: z.string().nullable().describe('Null for admins who cannot see the file'),
  url: z.string().nullable().describe('Public URL; null except when the link was just created'),
  hasPassword: z.boolean(),
  expiresAt: Timestamp.nullable(),
  active: z
    .boolean()
    .describe(
      'Whether it works: false once it has expired, while the file is in the trash, and if its creator can no longer edit the file or create public links',
    ),
  createdBy: Id,
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})

const PublicEntry = z.object({
  id: Id,
  name: z.string(),
  mimeType: z.string(),
  size: z.int(),
  source: z.enum(['upload', 'folder']),
  updatedAt: Timestamp,
})

const Settings = z.object({
  allowedFor: z
    .enum(PUBLIC_LINK_CREATORS)
    .describe('`members` who can edit the file, `admins` and owners only, or `nobody`'),
})

const params = z.object({ id: Id })
const token = { token: z.string().max(200).describe('Guest token') }

export const publicLinks = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/public-links',
    summary: 'List a file’s public links',
    access: member({ scope: 'files:read' }),
    params,
    output: z.object({
      items: z.array(PublicLink),
      canCreate: z.boolean().describe('Whether you can create public links to this file'),
    }),
    envelope: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/public-links',
    summary: 'Create a public link',
    description: `Anyone with the URL can read the file, or the folder and everything in it, until the link expires or is revoked. The URL is returned once. A file has at most ${PUBLIC_LINKS_MAX} public links; another one returns CONFLICT. Shortcuts in a folder are omitted.`,
    access: member({ edits: true, scope: 'files:write' }),
    params,
    body: z
      .object({
        expiresAt: TimestampInput.nullable().optional(),
        password: LinkPassword.nullable().optional(),
      })
      .optional(),
    output: PublicLink,
    status: 201,
    envelope: true,
    failures: ['RATE_LIMITED'],
  }),
  renew: endpoint({
    method: 'POST',
    path: '/api/v1/files/:id/public-links/:linkId/renew',
    summary: 'Give a public link a new URL',
    description:
      'Keeps the expiry and the password, gives the link a new id and makes you the creator. The old URL and pages that it opened stop working. The new one is returned once: only a hash of it is stored.',
    access: member({ edits: true, scope: 'files:write' }),
    params: params.extend({ linkId: Id }),
    output: PublicLink,
    envelope: true,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/v1/files/:id/public-links/:linkId',
    summary: 'Revoke a public link',
    description:
      'For everyone who can edit the file, and for admins. The link and open pages that use it stop working immediately.',
    access: member({ edits: true, scope: 'files:write' }),
    params: params.extend({ linkId: Id }),
    output: z.object({ revoked: z.literal(true) }),
    envelope: true,
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/api/v1/public-links',
    summary: 'List all public links',
    description: 'All public links in the organization, newest first.',
    access: member({ scope: 'files:read', role: 'admin' }),
    query: z.object({
      ...cursorQuery,
      limit: queryInteger(1, 100, 50),
      createdBy: Id.optional().describe('Only links created by this member'),
    }),
    output: cursorPage(PublicLink),
    standby: true,
  }),
  revokeAll: endpoint({
    method: 'POST',
    path: '/api/v1/public-links/revoke',
    summary: 'Revoke all of a member’s public links',
    description: 'The links and open pages that use them stop working immediately. The files are kept.',
    access: member({ scope: 'files:write', role: 'admin' }),
    body: z.object({ createdBy: Id }),
    output: z.object({ revoked: z.int() }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/v1/public-links/settings',
    summary: 'Get who can create public links',
    access: member({ scope: 'files:read' }),
    output: Settings,
  }),
  updateSettings: endpoint({
    method: 'PATCH',
    path: '/api/v1/public-links/settings',
    summary: 'Change who can create public links',
    description:
      'Links by members who can no longer create them stop working, and work again once those members can create links again.',
    access: steppedUp('Changing who can create public links', { role: 'admin' }),
    body: Settings,
    output: Settings,
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/v1/public-links/open',
    summary: 'Open a public link',
    description:
      'Returns a guest token for the content, valid for an hour. Returns UNAUTHORIZED with `details.reason` `password_required` or `wrong_password`, and NOT_FOUND if the link was revoked, its file was deleted, or, with `details.reason` `expired`, it has expired.',
    access: anonymous(),
    body: z.object({ token: text(1, 200), password: text(1, 200, { trim: false }).optional() }),
    output: z.object({ guestToken: z.string(), expiresAt: Timestamp, entry: PublicEntry }),
    limit: attemptsPerIp('public-link-open'),
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/v1/public-links/:token/entries',
    summary: 'List a public link’s folder',
    description: 'Folders first, then by name in natural order.',
    access: bySignature(),
    params: z.object(token),
    query: z.object({
      ...cursorQuery,
      limit: queryInteger(1, 100, 50),
      folderId: Id.optional().describe('Folder below the link’s folder; defaults to the link’s folder'),
    }),
    failures: ['NOT_FOUND'],
    output: cursorPage(PublicEntry),
  }),
  content: endpoint({
    method: 'GET',
    path: '/api/v1/public-links/:token/files/:id',
    summary: 'Download a public link’s file',
    description: '`inline=true`: inline if the type is safe to display, otherwise as an attachment.',
    access: bySignature(),
    params: z.object({ ...token, id: Id }),
    query: z.object({ inline: queryFlag() }),
    failures: ['NOT_FOUND'],
    output: z.null(),
    bytes: 'always',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/v1/public-links/:token/files/:id/preview',
    summary: 'Get a file preview for a public link',
    description: 'As `GET /files/:id/preview`.',
    access: bySignature(),
    params: z.object({ ...token, id: Id }),
    failures: ['NOT_FOUND'],
    output: FilePreview,
  }),
  archive: endpoint({
    method: 'GET',
    path: '/api/v1/public-links/:token/archive',
    summary: 'Download a public link’s folder as a ZIP archive',
    access: bySignature(),
    params: z.object(token),
    failures: ['NOT_FOUND', 'RATE_LIMITED'],
    output: z.null(),
    bytes: 'archive',
  }),
}
