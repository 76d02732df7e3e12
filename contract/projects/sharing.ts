import { z } from 'zod'
import { NewPassword, PersonName, Session } from '../accounts/accounts.ts'
import { anonymous, attemptsPerIp, browser, endpoint, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, TimestampInput, text } from '../fields.ts'
import { ProjectRef } from './projects.ts'

const AREA = 'Sharing a project'
export const SHARE_ACCESS = ['view', 'comment', 'edit'] as const
export const PROJECT_INVITE_ROLES = ['viewer', 'editor'] as const
const Access = z.enum(SHARE_ACCESS)
const Role = z.enum(PROJECT_INVITE_ROLES)
const Token = text(1, 200)
const params = z.object({ projectId: ProjectRef })
const expiresAt = TimestampInput.nullable().optional()

export const Share = z.object({
  id: Id,
  url: z.string().nullable().describe('The link; shown when it is made or rotated, null otherwise'),
  access: Access,
  expiresAt: Timestamp.nullable(),
  hasPassword: z.boolean(),
  createdAt: Timestamp,
})

export const ProjectInvite = z.object({
  id: Id,
  url: z
    .string()
    .nullable()
    .describe(
      'The link; shown when it is made, null otherwise, and always where it is mailed: it proves the address',
    ),
  role: Role,
  email: z.string().nullable(),
  expiresAt: Timestamp.nullable(),
  maxUses: z.int().nullable(),
  uses: z.int(),
  createdAt: Timestamp,
})

export const sharing = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/share',
    summary: 'Read how a project is shared',
    access: browser(AREA),
    params,
    output: z.object({ share: Share.nullable(), invites: z.array(ProjectInvite) }),
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/share',
    summary: 'Make a share link, or change it',
    description:
      'What is not given stays as it is. `rotate` makes a new link and ends the old one, `password: null` takes the password away; both, like a new password, end open viewers.',
    access: steppedUp(AREA),
    params,
    body: z.object({
      access: Access.optional().describe('`comment` shows as much as `view`'),
      expiresAt,
      password: text(8, 200, { trim: false }).nullable().optional(),
      rotate: z.boolean().optional(),
    }),
    output: Share,
  }),
  unshare: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:projectId/share',
    summary: 'Revoke the share link',
    description: 'Whoever is looking by it sees nothing more.',
    access: steppedUp(AREA),
    params,
    output: z.object({ revoked: z.literal(true) }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/share/invite',
    summary: 'Make an invite link into the workspace of a project',
    description:
      'For admins of the organization or of the workspace. One link for everybody, replaced when made again; with `email`, one for that address alone, which is mailed, works once, and for 7 days unless `expiresAt` says otherwise.',
    access: steppedUp(AREA),
    params,
    body: z.object({
      role: Role,
      expiresAt,
      maxUses: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(10_000, 'must be at most 10,000')
        .nullable()
        .optional(),
      email: z.email('must be an email address').max(254).toLowerCase().optional(),
    }),
    output: ProjectInvite,
  }),
  revokeInvite: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:projectId/share/invite/:inviteId',
    summary: 'Revoke an invite link',
    access: steppedUp(AREA),
    params: params.extend({ inviteId: Id }),
    output: z.object({ revoked: z.literal(true) }),
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/v1/shares/open',
    summary: 'Come in by a share link',
    description:
      'Answers a ticket to send as `x-share-ticket` with calls that guests may make. UNAUTHORIZED with `details.reason` `password_required` or `wrong_password`; NOT_FOUND once revoked or expired.',
    access: anonymous(),
    body: z.object({ token: Token, password: text(1, 200, { trim: false }).optional() }),
    output: z.object({
      ticket: z.string(),
      expiresAt: Timestamp.describe('When the ticket is to be asked for again'),
      access: Access,
      project: z.object({
        id: Id,
        name: z.string(),
        emoji: z.string().nullable(),
        description: z.string().nullable(),
      }),
    }),
    limit: attemptsPerIp('share-open'),
  }),
  readInvite: endpoint({
    method: 'GET',
    path: '/api/v1/auth/project-invite',
    summary: 'Read an invite link',
    access: anonymous(),
    query: z.object({ token: Token }),
    output: z.object({
      organization: z.object({ id: Id, name: z.string() }),
      workspace: z.object({ id: Id, name: z.string() }),
      project: z.object({ id: Id, name: z.string(), emoji: z.string().nullable() }),
      role: Role,
      invitedBy: z.string(),
      email: z.string().nullable().describe('The only address it is for, if it is for one'),
    }),
    limit: attemptsPerIp('project-invite-read'),
  }),
  acceptInvite: endpoint({
    method: 'POST',
    path: '/api/v1/auth/project-invite/accept',
    summary: 'Join by an invite link',
    description:
      'Signed in, you join the workspace, and its organization if you are not in it. Otherwise `name`, `email` and `password` make an account; an address that has one is CONFLICT: sign in first.',
    access: anonymous({ identify: true }),
    body: z.object({
      token: Token,
      name: PersonName.optional(),
      email: z.email('must be an email address').max(254).toLowerCase().optional(),
      password: NewPassword.optional(),
    }),
    output: z.object({ session: Session, projectId: Id }),
    status: 201,
    limit: attemptsPerIp('project-invite-accept'),
  }),
}
