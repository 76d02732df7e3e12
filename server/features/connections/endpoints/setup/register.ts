import type { JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { openConnection, reportFailure } from '../../connections/connections.ts'
import { type ReceiverDefinition, sendRequest } from '../../connectors/connectors.ts'
import { callbackPath } from '../callback-url.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import {
  type EndpointRow,
  openSecretWindow,
  type StoredRegistration,
  updateRegistered,
  updateRegistrationFailed,
} from '../queries.ts'
import { openSecrets, sealSecrets, secretWindow } from '../secrets.ts'

type Registration = Extract<ReceiverDefinition['setup'], { by: 'api' }>
type RegisteredEndpoint = Parameters<Registration['register']>[0]
type Exchange = Awaited<ReturnType<typeof sendRequest>>

const DAY_MS = 86_400_000
const RETRY_MIN_MS = 60_000
const RETRY_MAX_MS = 21_600_000
/** Renewal starts long before expiry, so a few failures don't matter. */
const RENEWAL_FAILURES_MAX = 4

/** `create`: nothing can be registered yet. */
type Purpose = 'create' | 'change' | 'renew' | 'test'
export type RegistrationResult = { ok: true } | { ok: false; isFinal: boolean; error: string }
type Ctx = Pick<JobContext<'outbound' | 'vault'>, 'sql' | 'outbound' | 'vault' | 'now'>

/** Safe to repeat: registering the same URL again adds no registration. */
export async function register(
  options: EndpointOptions,
  ctx: Ctx,
  endpoint: EndpointRow,
  base: string,
  purpose: Purpose,
): Promise<RegistrationResult> {
  const outcome = await attemptRegistration(options, ctx, endpoint, base, purpose)
  if (outcome.ok) await storeRegistered(ctx, endpoint, outcome)
  else await storeFailure(ctx, endpoint, outcome, purpose)
  return outcome
}

type Attempt =
  | { ok: true; registered: Omit<StoredRegistration, 'now'> | null }
  | { ok: false; isFinal: boolean; error: string }

/** Asks the provider but stores nothing. */
export const attemptRegistration = (...input: Parameters<typeof tryRegister>): Promise<Attempt> =>
  tryRegister(...input).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    return { ok: false as const, isFinal: false, error: error.message }
  })

export async function storeRegistered(
  { sql, now }: Pick<Ctx, 'sql' | 'now'>,
  { orgId, id }: EndpointRow,
  { registered }: Extract<Attempt, { ok: true }>,
): Promise<void> {
  if (registered) await updateRegistered(sql, orgId, id, { ...registered, now: now() })
}

/** Returns whether this failure made it a problem. */
export async function storeFailure(
  ctx: Pick<Ctx, 'sql' | 'now'>,
  { orgId, id, registration, registrationFailures }: EndpointRow,
  { error, isFinal }: { error: string; isFinal: boolean },
  purpose: Purpose,
): Promise<boolean> {
  const now = ctx.now()
  const failures = Math.max(registrationFailures + 1, isFinal ? RENEWAL_FAILURES_MAX : 0)
  const isProblem = purpose !== 'renew' || registration !== 'registered' || failures >= RENEWAL_FAILURES_MAX
  const dueAt = new Date(now.getTime() + Math.min(RETRY_MIN_MS * 2 ** (failures - 1), RETRY_MAX_MS))
  await updateRegistrationFailed(ctx.sql, orgId, id, { error, failures, isProblem, dueAt, now })
  return isProblem && registration !== 'failed'
}

async function tryRegister(
  options: EndpointOptions,
  ctx: Ctx,
  endpoint: EndpointRow,
  base: string,
  purpose: Purpose,
): Promise<Attempt> {
  const { orgId, id, connectionId, kept, fields: config, events } = endpoint
  const deps = connectionDeps(options, ctx)
  const target = await openConnection(deps, orgId, connectionId)
  const { receiver } = target.definition
  const setup = receiver?.setup
  const secrets = openSecrets(ctx.vault, id, endpoint.secretSealed)
  if (!receiver || setup?.by !== 'api' || !secrets)
    return { ok: false as const, isFinal: true, error: 'The connector registers no endpoints' }
  const send = async (request: Parameters<typeof sendRequest>[2]): Promise<Exchange> => {
    const exchange = await sendRequest(ctx.outbound, target, request, {
      idempotencyKey: `${id}-${endpoint.version}`,
    })
    if (!exchange.ok) await reportFailure(deps, orgId, connectionId, exchange.failure, target)
    return exchange
  }
  const url = base + callbackPath(endpoint.slug, id)
  const selected = events.length > 0 ? events : Object.keys(receiver.events)
  const registeredEndpoint = { url, secret: secrets.generated, events: selected, config, now: ctx.now() }
  const isKnown = Object.keys(kept).length > 0
  // Without `update`, a test could only add a second registration.
  if (purpose === 'test' && isKnown && !setup.update) return { ok: true as const, registered: null }
  const foundKept = purpose === 'create' || isKnown ? kept : await findLost(setup, registeredEndpoint, send)
  const isLost = !isKnown && Object.keys(foundKept).length > 0 && hasLostSecret(receiver.proof, setup)
  if (isLost) await send(setup.unregister(foundKept, config))
  const currentKept = isLost ? {} : foundKept
  const secretUntil = secretWindow(receiver, ctx.now())
  if (secretUntil) await openSecretWindow(ctx.sql, orgId, id, secretUntil)
  const { exchange, keep, newSecret } = await sendRegistration(setup, currentKept, registeredEndpoint, send)
  if (!exchange.ok) {
    const { means, message } = exchange.failure
    const isFinal = ['invalid', 'forbidden', 'not_found', 'failed'].includes(means)
    return { ok: false as const, isFinal, error: message }
  }
  const isReplaced = isKnown && Object.entries(keep).some(([key, value]) => kept[key] !== value)
  if (isReplaced) await send(setup.unregister(kept, config))
  const proof = newSecret ?? (await readSecret(setup, { ...currentKept, ...keep }, config, send))
  return {
    ok: true as const,
    registered: {
      kept: { ...currentKept, ...keep },
      secretSealed: proof === undefined ? null : sealSecrets(ctx.vault, id, { ...secrets, proof }),
      dueAt: setup.renewDays ? new Date(ctx.now().getTime() + setup.renewDays * DAY_MS) : null,
    },
  }
}

type Send = (request: Parameters<typeof sendRequest>[2]) => Promise<Exchange>

async function sendRegistration(
  setup: Registration,
  kept: Record<string, string>,
  endpoint: RegisteredEndpoint,
  send: Send,
): Promise<{ exchange: Exchange; keep: Record<string, string>; newSecret: string | undefined }> {
  if (setup.update && Object.keys(kept).length > 0) {
    const exchange = await send(setup.update(kept, endpoint))
    if (exchange.ok || exchange.failure.means !== 'not_found')
      return { exchange, keep: {}, newSecret: undefined }
  }
  const { request, keep, secret } = setup.register(endpoint)
  const exchange = await send(request)
  if (!exchange.ok) return { exchange, keep: {}, newSecret: undefined }
  const { body } = exchange.answer
  return { exchange, keep: keep?.(body) ?? {}, newSecret: secret?.(body) }
}

/** Finds a registration after a lost response. */
async function findLost(
  { find }: Registration,
  endpoint: RegisteredEndpoint,
  send: Send,
): Promise<Record<string, string>> {
  if (!find) return {}
  const { request, keep } = find(endpoint)
  const exchange = await send(request)
  return exchange.ok ? (keep(exchange.answer.body) ?? {}) : {}
}

/** Only the lost response contained the secret, so it must register again. */
const hasLostSecret = (proof: ReceiverDefinition['proof'], { readSecret }: Registration): boolean =>
  proof.by !== 'google-token' && proof.secret.from === 'registration' && !readSecret

async function readSecret(
  { readSecret }: Registration,
  kept: Record<string, string>,
  config: Record<string, string>,
  send: Send,
): Promise<string | undefined> {
  if (!readSecret) return undefined
  const { request, secret } = readSecret(kept, config)
  const exchange = await send(request)
  return exchange.ok ? secret(exchange.answer.body) : undefined
}

/** A registration unknown to the provider counts as removed. */
export async function unregister(
  options: EndpointOptions,
  ctx: Ctx,
  endpoint: EndpointRow,
): Promise<boolean> {
  const { orgId, connectionId, kept, fields } = endpoint
  if (endpoint.registration === 'by_hand') return true
  const target = await openConnection(connectionDeps(options, ctx), orgId, connectionId)
  const setup = target.definition.receiver?.setup
  if (setup?.by !== 'api') return true
  const exchange = await sendRequest(ctx.outbound, target, setup.unregister(kept, fields))
  return exchange.ok || ['not_found', 'forbidden', 'invalid'].includes(exchange.failure.means)
}
