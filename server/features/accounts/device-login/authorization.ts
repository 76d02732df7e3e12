import { type deviceLogin, USER_CODE_LETTERS } from '../../../../contract/accounts/device-login.ts'
import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { conflict, notFound, raise, unauthorized } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomLetters, randomToken } from '../../../security/random.ts'
import type { Vault } from '../../../security/vault.ts'
import { consumeAttempt } from '../accounts/accounts.ts'
import { requireMayCharge } from '../api-keys/api-keys.ts'
import * as queries from './queries.ts'

const LIFETIME_SECONDS = 900
const INTERVAL_SECONDS = 5
/** Every lookup counts, even a correct one: an attacker could mix in their own valid codes. */
const ATTEMPT_LIMIT = { name: 'device-user-code', capacity: 30, perSeconds: 600 }

export async function start(ctx: PublicContext<'vault'>, input: InputOf<typeof deviceLogin.start>) {
  const { deviceCode, userCode } = newCodes()
  const now = ctx.now()
  const inserted = await queries.insertLogin(ctx.sql, {
    id: newId(),
    deviceCodeHash: hashDeviceCode(deviceCode),
    userCodeHash: hashUserCode(ctx.vault, userCode),
    clientName: input.client_name ?? input.client_id ?? null,
    hostname: input.hostname ?? null,
    scopes: [...new Set(input.scope.split(/\s+/))],
    readOnly: input.read_only,
    address: ctx.origin.ip,
    now,
    expiresAt: new Date(now.getTime() + LIFETIME_SECONDS * 1000),
  })
  // A user code is short enough to collide with another login: then generate a new one.
  if (!inserted) return start(ctx, input)
  const page = `${ctx.origin.baseUrl}/device`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: LIFETIME_SECONDS,
    interval: INTERVAL_SECONDS,
  }
}

export async function readStatus(ctx: PublicContext<'vault'>, codes: InputOf<typeof deviceLogin.status>) {
  const login = (await findByCode(ctx, codes)) ?? raise(notFound('Device login'))
  return {
    status: loginStatus(login, ctx.now()),
    client_name: login.clientName,
    hostname: login.hostname,
    scope: login.scopes.join(' '),
    read_only: login.readOnly,
    ip: login.address,
    created_at: login.createdAt,
    expires_in: Math.max(0, Math.ceil((Date.parse(login.expiresAt) - ctx.now().getTime()) / 1000)),
  }
}

async function findByCode(ctx: PublicContext<'vault'>, codes: InputOf<typeof deviceLogin.status>) {
  if (codes.device_code !== undefined)
    return queries.findByDeviceCode(ctx.sql, hashDeviceCode(codes.device_code))
  if (ctx.caller?.via !== 'session') throw unauthorized('Sign in to view a device login by its user code')
  await consumeAttempt(ctx, ATTEMPT_LIMIT, ctx.caller.userId)
  return queries.findByUserCode(ctx.sql, hashUserCode(ctx.vault, codes.user_code!))
}

/** The terminal gets the approving user's access, in their current organization. */
export async function decide(
  ctx: Context<'vault'>,
  { user_code, decision }: InputOf<typeof deviceLogin.approve>,
) {
  const { caller } = ctx
  await consumeAttempt(ctx, ATTEMPT_LIMIT, caller.userId)
  const codeHash = hashUserCode(ctx.vault, user_code)
  const login = await queries.findByUserCode(ctx.sql, codeHash)
  if (!login || Date.parse(login.expiresAt) <= ctx.now().getTime()) throw notFound('Device login')
  const status = DECISIONS[decision]
  if (status === 'approved') requireMayCharge(login.scopes, caller)
  await ctx.transaction(async (inside) => {
    const decision = { id: login.id, status, sessionId: caller.credentialId }
    const decided = await queries.updateDecided(inside.sql, caller.orgId, caller.userId, decision)
    if (!decided) throw conflict('This device login has already been decided')
    const details = { scope: login.scopes.join(' '), hostname: login.hostname ?? '', from: login.address }
    await recordAudit(inside, { action: `device.${status}`, by: caller, target: login.id, details })
  })
  return { status }
}

const DECISIONS = { approve: 'approved', deny: 'denied' } as const

type Status = OutputOf<typeof deviceLogin.status>['status']

/** A login not completed in time expires, even if approved. */
export function loginStatus({ status, expiresAt }: queries.LoginRow, now: Date): Status {
  const isOpen = status === 'pending' || status === 'approved'
  return isOpen && Date.parse(expiresAt) <= now.getTime() ? 'expired' : status
}

/** A terminal that polled after this polls too often. */
export const pollableSince = (now: Date) => new Date(now.getTime() - INTERVAL_SECONDS * 1000)

/** The device code is unguessable; the user code is short enough to read and type. */
function newCodes() {
  const letters = () => randomLetters(4, USER_CODE_LETTERS)
  return { deviceCode: randomToken(32), userCode: `${letters()}-${letters()}` }
}

export const hashDeviceCode = (code: string): Buffer => sha256(code)

/** An HMAC, because all user codes could be tried against a plain hash in seconds. Ignores case, dashes and spaces. */
const hashUserCode = (vault: Vault, code: string): Buffer =>
  Buffer.from(vault.sign('device-user-code', code.toUpperCase().replace(/[\s-]/g, '')), 'base64url')
