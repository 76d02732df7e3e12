import { z } from 'zod'
import { Email, NewPassword, PersonName, Session } from '../accounts/accounts.ts'
import { anonymous, attemptsPerIp, browser, endpoint, steppedUp } from '../endpoint.ts'
import { Id, LinkPassword, Timestamp, TimestampInput, text } from '../fields.ts'
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
  url: z.string().nullable().describe('Share link; null except when it was just created or rotated'),
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
      'Invite link; null except when it was just created. Always null for an emailed link, which proves ownership of the email address. If the server cannot send email, the link for `email` is returned once, to be passed on',
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
    summary: 'Get sharing settings',
    access: browser(AREA),
    params,
    output: z.object({ share: Share.nullable(), invites: z.array(ProjectInvite) }),
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/share',
    summary: 'Create or update the share link',
    description:
      'Absent fields stay unchanged. `rotate` replaces the link and `password: null` removes the password. Rotating, and setting or removing the password, ends access for current guests.',
    access: steppedUp(AREA, { edits: true }),
    params,
    body: z.object({
      access: Access.optional().describe('`comment`: guests can also read and write comments on the blocks'),
      expiresAt,
      password: LinkPassword.nullable().optional(),
      rotate: z.boolean().optional(),
    }),
    output: Share,
    failures: ['RATE_LIMITED'],
  }),
  unshare: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:projectId/share',
    summary: 'Revoke the share link',
    description: 'Current guests lose access immediately.',
    access: steppedUp(AREA, { edits: true }),
    params,
    output: z.object({ revoked: z.literal(true) }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/share/invite',
    summary: 'Create a project invite link',
    description:
      'Requires an organization or workspace admin. Users who open the link join the project’s workspace. Without `email`, creates one reusable link and replaces the previous one. With `email`, sends a link for this email address, which can be used once and expires after 7 days unless `expiresAt` is set.',
    access: steppedUp(AREA, { edits: true }),
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
    failures: ['CONFLICT', 'RATE_LIMITED'],
    output: ProjectInvite,
  }),
  revokeInvite: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:projectId/share/invite/:inviteId',
    summary: 'Revoke an invite link',
    access: steppedUp(AREA, { edits: true }),
    params: params.extend({ inviteId: Id }),
    output: z.object({ revoked: z.literal(true) }),
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/v1/shares/open',
    summary: 'Open a share link',
    description:
      'Returns a guest token. Send it as the header `x-guest-token` in calls that accept guests. Returns UNAUTHORIZED with `details.reason` `password_required` or `wrong_password`, and NOT_FOUND if the link was revoked or has expired.',
    access: anonymous(),
    body: z.object({ token: Token, password: text(1, 200, { trim: false }).optional() }),
    output: z.object({
      guestToken: z.string(),
      expiresAt: Timestamp.describe('When the guest token expires; open the share link again to renew it'),
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
    summary: 'Get a project invite link',
    access: anonymous(),
    query: z.object({ token: Token }),
    failures: ['NOT_FOUND', 'FORBIDDEN'],
    output: z.object({
      organization: z.object({ id: Id, name: z.string() }),
      workspace: z.object({ id: Id, name: z.string() }),
      project: z.object({ id: Id, name: z.string(), emoji: z.string().nullable() }),
      role: Role,
      invitedBy: z.string(),
      email: z
        .string()
        .nullable()
        .describe('Only email address that can accept it; null for a reusable link'),
      confirmsEmail: z
        .boolean()
        .describe(
          'Whether a visitor without a session must confirm their email address before joining: call `/auth/project-invite/request`',
        ),
    }),
    limit: attemptsPerIp('project-invite-read'),
  }),
  acceptInvite: endpoint({
    method: 'POST',
    path: '/api/v1/auth/project-invite/accept',
    summary: 'Accept a project invite link',
    description:
      'A signed-in user joins the workspace and, if necessary, its organization. Without a session, `name`, `email` and `password` create an account, or join with the account that the password belongs to. Returns FORBIDDEN with `details.reason` `email_confirmation_required` for a reusable link if the server sends email. Otherwise the account is created with an unverified email address, and the response does not reveal whether another account has the same one.',
    access: anonymous({ identify: true }),
    whileSuspended: true,
    body: z.object({
      token: Token,
      name: PersonName.optional(),
      email: z.email('must be an email address').max(254).toLowerCase().optional(),
      password: NewPassword.optional(),
    }),
    failures: ['UNAUTHORIZED', 'NOT_FOUND', 'CONFLICT'],
    output: z.object({ session: Session, projectId: Id }),
    status: 201,
    limit: attemptsPerIp('project-invite-accept'),
  }),
  requestToJoin: endpoint({
    method: 'POST',
    path: '/api/v1/auth/project-invite/request',
    summary: 'Request to join with a project invite link',
    description:
      'For a reusable link, if the server sends email. Sends a link that confirms the email address and creates the account. The response does not reveal whether an account exists. Returns CONFLICT if no confirmation is necessary.',
    access: anonymous(),
    failures: ['NOT_FOUND'],
    body: z.object({ token: Token, name: PersonName, email: Email }),
    output: z.object({ sent: z.literal(true) }),
    limit: { name: 'project-invite-request', by: 'ip', capacity: 10, perSeconds: 600 },
  }),
  confirmJoin: endpoint({
    method: 'POST',
    path: '/api/v1/auth/project-invite/confirm',
    summary: 'Confirm an email address and join',
    description: 'The token can be used once and expires after one day.',
    access: anonymous(),
    failures: ['UNAUTHORIZED', 'NOT_FOUND', 'CONFLICT'],
    body: z.object({ token: Token, password: NewPassword }),
    output: z.object({ session: Session, projectId: Id }),
    status: 201,
    limit: attemptsPerIp('project-invite-confirm'),
  }),
}
