import type { security } from '../../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { STEP_UP_SECONDS } from '../../../../endpoint/permit.ts'
import { reply } from '../../../../endpoint/route.ts'
import { notFound, raise } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { newId } from '../../../../security/ids.ts'
import { randomToken } from '../../../../security/random.ts'
import * as queries from '../queries.ts'
import { rememberDevice } from './recognized-device.ts'
import {
  deleteOtherSessions,
  deleteUserSession,
  findSecurity,
  listUserIdentities,
  listUserPasskeys,
  listUserSessions,
} from './security-queries.ts'

const SESSION_DAYS = 7
const DAY_MS = 86_400_000

export const sessionExpiry = (now: Date) => new Date(now.getTime() + SESSION_DAYS * DAY_MS)
export const stepUpExpiry = (now: Date) => new Date(now.getTime() + STEP_UP_SECONDS * 1000)

interface SessionGrant {
  userId: string
  orgId: string
  workspaceId: string | null
  /** A password or passkey counts as step-up, an emailed link doesn't. */
  opensStepUp: boolean
}

/** Call only for a user who has just authenticated. */
export async function issueSession(
  ctx: PublicContext<'suspensions' | 'vault'>,
  { opensStepUp, ...owner }: SessionGrant,
) {
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
  if (ctx.origin.language) await queries.updateUnknownLanguage(ctx.sql, owner.userId, ctx.origin.language)
  const stepUpUntil = session.stepUpUntil?.toISOString() ?? null
  const body = await describeSession(ctx, { ...owner, stepUpUntil }, now)
  const device = rememberDevice(ctx, owner.userId)
  return reply(body, { session: { token, expiresAt: session.expiresAt }, device })
}

/** Also extends the cookie: the dashboard calls this first on every visit. */
export async function readSession(ctx: Context<'suspensions'>) {
  const body = await describeSession(ctx, ctx.caller, ctx.now())
  return reply(body, { session: { expiresAt: sessionExpiry(ctx.now()) } })
}

export async function signOut(ctx: Context) {
  await ctx.transaction(async (inside) => {
    await deleteUserSession(inside.sql, ctx.caller.userId, ctx.caller.credentialId)
    await recordAudit(inside, { action: 'sign-out', by: ctx.caller })
  })
  return reply({ signedOut: true as const }, { session: 'ended' })
}

type SessionState = Pick<Caller, 'userId' | 'orgId' | 'workspaceId' | 'stepUpUntil'>

async function describeSession(
  { sql, suspensions }: Pick<PublicContext<'suspensions'>, 'sql' | 'suspensions'>,
  { userId, orgId, workspaceId, stepUpUntil }: SessionState,
  now: Date,
) {
  const [profile, organizations] = await Promise.all([
    queries.findProfile(sql, orgId, userId, workspaceId),
    queries.listOrganizations(sql, userId),
  ])
  const { name, email, emailVerified, operator, language, settings, stepUpMethods, workspaceName } =
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
      language,
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

/** Checks credential, membership and role, for streams, which outlive the request that opened them. */
export async function isCredentialValid(sql: Sql, caller: Caller, now: Date): Promise<boolean> {
  const [isValid] = await areCredentialsValid(sql, [caller], now)
  return isValid!
}

/** Like `isCredentialValid`, in one statement. */
export async function areCredentialsValid(sql: Sql, callers: Caller[], now: Date): Promise<boolean[]> {
  const column = <F extends keyof Caller>(field: F) => callers.map((caller) => caller[field])
  const rows = await sql<{ isValid: boolean }[]>`
    select case c.via
      when 'key' then exists (
        select from api_keys k where k.org_id = m.org_id and k.id = c.credential and k.user_id = m.user_id
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}))
      when 'app' then exists (
        select from app_grants g where g.org_id = m.org_id and g.id = c.credential and g.user_id = m.user_id
          and g.revoked_at is null and (g.expires_at is null or g.expires_at > ${now}))
      else exists (
        select from sessions s where s.id = c.credential and s.org_id = m.org_id and s.user_id = m.user_id
          and s.expires_at > ${now})
      end as "isValid"
    from unnest(${column('orgId')}::uuid[], ${column('userId')}::uuid[], ${column('role')}::text[],
      ${column('via')}::text[], ${column('credentialId')}::uuid[])
      with ordinality as c (org_id, user_id, role, via, credential, position)
    left join memberships m on m.org_id = c.org_id and m.user_id = c.user_id and m.role = c.role
    order by c.position`
  return rows.map(({ isValid }) => isValid)
}

export async function readSecurity(ctx: Context) {
  const { userId, credentialId } = ctx.caller
  const [found, passkeys, identities, sessions] = await Promise.all([
    findSecurity(ctx.sql, userId),
    listUserPasskeys(ctx.sql, userId),
    listUserIdentities(ctx.sql, userId),
    listUserSessions(ctx.sql, userId, ctx.now()),
  ])
  const { email, emailVerified, hasPassword, totp, recoveryCodesLeft } = found ?? raise(notFound('User'))
  return {
    email,
    emailVerified,
    hasPassword,
    totp,
    recoveryCodesLeft,
    passkeys: [...passkeys],
    identities: [...identities],
    sessions: sessions.map((session) => ({ ...session, current: session.id === credentialId })),
  }
}

export async function endSession(ctx: Context, { id }: InputOf<typeof security.endSession>) {
  const { userId, credentialId } = ctx.caller
  await ctx.transaction(async (inside) => {
    if (!(await deleteUserSession(inside.sql, userId, id))) throw notFound('Session')
    await recordAudit(inside, { action: 'session.ended', by: ctx.caller, target: id })
  })
  return reply({ ended: true as const }, id === credentialId ? { session: 'ended' } : {})
}

export async function endOtherSessions(ctx: Context) {
  const { userId, credentialId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const ended = await deleteOtherSessions(inside.sql, userId, credentialId)
    const details = { others: String(ended) }
    if (ended > 0) await recordAudit(inside, { action: 'session.ended', by: ctx.caller, details })
    return { ended }
  })
}
