import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { STEP_UP_SECONDS } from '../../../../endpoint/step-up.ts'
import { notFound, raise } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { newId } from '../../../../security/ids.ts'
import { randomToken } from '../../../../security/random.ts'
import * as queries from '../queries.ts'
import { rememberDevice } from '../sign-in/recognized-device.ts'
import { deleteSessionOf } from './security-queries.ts'

const SESSION_DAYS = 7
const DAY_MS = 86_400_000

export const sessionExpiry = (now: Date) => new Date(now.getTime() + SESSION_DAYS * DAY_MS)
export const stepUpExpiry = (now: Date) => new Date(now.getTime() + STEP_UP_SECONDS * 1000)

export interface SessionGrant {
  userId: string
  orgId: string
  workspaceId: string | null
  /** Whether the sign-in counts as step-up: a password or a passkey does, an emailed link does not. */
  opensStepUp: boolean
}

/** Creates the session of a user who has just authenticated, with a new token. */
export async function issueSession(ctx: PublicContext, { opensStepUp, ...owner }: SessionGrant) {
  const token = randomToken(32)
  const now = ctx.now()
  const session = {
    ...owner,
    id: newId(),
    tokenHash: sha256(token),
    stepUpUntil: opensStepUp ? stepUpExpiry(now) : null,
    address: ctx.origin.ip,
    userAgent: ctx.origin.userAgent,
    now,
    expiresAt: sessionExpiry(now),
  }
  await queries.insertSession(ctx.sql, session)
  const stepUpUntil = session.stepUpUntil?.toISOString() ?? null
  const body = await describeSession(ctx, { ...owner, stepUpUntil }, now)
  const device = rememberDevice(ctx, owner.userId)
  return reply(body, { session: { token, expiresAt: session.expiresAt }, device })
}

/** Also extends the cookie: the dashboard calls this first on every visit. */
export async function readSession(ctx: Context) {
  const body = await describeSession(ctx, ctx.caller, ctx.now())
  return reply(body, { session: { expiresAt: sessionExpiry(ctx.now()) } })
}

export async function signOut(ctx: Context) {
  await ctx.transaction(async (inside) => {
    await deleteSessionOf(inside.sql, ctx.caller.userId, ctx.caller.credentialId)
    await recordAudit(inside, { action: 'sign-out', by: ctx.caller })
  })
  return reply({ signedOut: true as const }, { session: 'ended' })
}

type SessionState = Pick<Caller, 'userId' | 'orgId' | 'workspaceId' | 'stepUpUntil'>

async function describeSession(
  { sql, suspensions }: Pick<PublicContext, 'sql' | 'suspensions'>,
  { userId, orgId, workspaceId, stepUpUntil }: SessionState,
  now: Date,
) {
  const [profile, organizations] = await Promise.all([
    queries.findProfile(sql, orgId, userId, workspaceId),
    queries.listOrganizations(sql, userId),
  ])
  const { name, email, emailVerified, operator, settings, stepUpMethods, workspaceName } =
    profile ?? raise(notFound('User'))
  const organization = organizations.find(({ id }) => id === orgId) ?? raise(notFound('Organization'))
  const suspension = suspensions.find(orgId)
  const isActive = stepUpUntil !== null && new Date(stepUpUntil) > now
  return {
    user: {
      id: userId,
      name,
      email,
      emailVerified,
      operator,
      settings: { defaultProjectVisibility: settings.defaultProjectVisibility ?? ('team' as const) },
    },
    organization: { id: organization.id, name: organization.name },
    workspace: workspaceId && workspaceName ? { id: workspaceId, name: workspaceName } : null,
    role: organization.role,
    organizations: [...organizations],
    suspension: suspension && {
      reason: suspension.reason,
      since: suspension.since,
      eraseAfter: suspension.eraseAfter,
    },
    stepUp: { active: isActive, until: isActive ? stepUpUntil : null, methods: stepUpMethods },
  }
}
