import type { PublicContext } from '../context.ts'
import { takeToken } from '../database/limits.ts'
import type { SignatureScheme } from '../signatures/scheme.ts'
import { bodyField, type Headers, type SignedRequest } from '../signatures/signed-request.ts'
import { type Verdict, verify } from '../signatures/verify.ts'
import { unavailableToSenders } from '../suspensions/suspensions.ts'
import type { Receiver } from './receiver.ts'
import { redactHeaders } from './sanitize.ts'
import type { Refusal } from './store-event.ts'

/** Retries if the receiver changes concurrently. */
export const RETRIES_MAX = 3
/** Limits recorded refusals so a sender can't fill the log. */
const REFUSALS_RECORDED = { name: 'inbound-refusal', capacity: 60, perSeconds: 60 }

interface InboundRequest extends RawContent {
  /** Public, since some schemes sign it. */
  url: string
  headers: Headers
}

export interface VerifiedRequest {
  headers: Headers
  body: Buffer
  /** Null if the receiver uses its own proof instead of schemes. */
  scheme: SignatureScheme | null
}

export type RefusalReason = NonNullable<Verdict['reason']> | 'too_large' | 'too_many_hops'

type Outcome<Stored, Answer = never> =
  | { kind: 'stored'; event: Stored }
  | { kind: 'refused'; reason: RefusalReason }
  /** A signed URL check, with the text to respond with. */
  | { kind: 'handshake'; challenge: string }
  /** Another URL check, with the feature's response. */
  | { kind: 'answered'; answer: Answer }
  | { kind: 'not_found' }
  /** The receiver changed during every attempt. */
  | { kind: 'conflict' }

export interface Inbound<R extends Receiver, Stored, Answer = never> {
  bytesMax: number
  /** The feature decides. Default: nothing is received, with `retry-after`. */
  whileSuspended?: true
  find: (options: { fresh: boolean }) => Promise<R | null>
  /** Runs before the signature check. */
  refuse?: (headers: Headers) => RefusalReason | null
  /** Null for an event. Called before and after verification. */
  answer?: (receiver: R, request: SignedRequest, isVerified: boolean) => Promise<Answer | null>
  /** Stores once and notifies. Null if the receiver's version has changed. */
  store: (ctx: PublicContext<'quotas'>, receiver: R, request: VerifiedRequest) => Promise<Stored | null>
  /** Omits the unauthenticated body. */
  record: (ctx: PublicContext, receiver: R, refusal: Refusal) => Promise<void>
}

/** Acknowledges an event only after it's committed. */
export async function receive<R extends Receiver, Stored, Answer = never>(
  ctx: PublicContext<'quotas' | 'suspensions'>,
  inbound: Inbound<R, Stored, Answer>,
  request: InboundRequest,
): Promise<Outcome<Stored, Answer>> {
  const body = await readRawBody(request, inbound.bytesMax)
  for (let attempt = 0; attempt < RETRIES_MAX; attempt++) {
    const isFresh = attempt > 0
    const receiver = await inbound.find({ fresh: isFresh })
    if (!receiver) return { kind: 'not_found' }
    const outcome = await receiveBy(ctx, inbound, receiver, { ...request, body, isFresh })
    if (outcome !== null) return outcome
  }
  return { kind: 'conflict' }
}

interface ReadRequest {
  url: string
  headers: Headers
  /** Null: too large. */
  body: Buffer | null
  /** A cached receiver may have an old secret or predate activation. */
  isFresh: boolean
}

/** Null: read the receiver again. An outdated one never causes a refusal. */
async function receiveBy<R extends Receiver, Stored, Answer>(
  ctx: PublicContext<'quotas' | 'suspensions'>,
  inbound: Inbound<R, Stored, Answer>,
  receiver: R,
  request: ReadRequest,
): Promise<Outcome<Stored, Answer> | null> {
  const { headers, body, isFresh } = request
  const earlyAnswer = await answerTo(inbound, receiver, request, false)
  if (earlyAnswer !== null) return { kind: 'answered', answer: earlyAnswer }
  if (receiver.isDisabled) return isFresh ? { kind: 'not_found' } : null
  const checked = await check(inbound, receiver, request, ctx.now())
  if (checked.reason !== null) {
    if (!isFresh) return null
    await recordRefusal(ctx, inbound, receiver, headers, checked)
    return { kind: 'refused', reason: checked.reason }
  }
  const challenge = checked.scheme && challengeOf(checked.scheme, body!)
  const answer = challenge === null ? await answerTo(inbound, receiver, request, true) : null
  // Nothing is stored, so nothing else would check the cached secret.
  if (!isFresh && (challenge !== null || answer !== null)) return null
  if (challenge !== null) return { kind: 'handshake', challenge }
  if (answer !== null) return { kind: 'answered', answer }
  if (!inbound.whileSuspended && ctx.suspensions.find(receiver.orgId)) throw unavailableToSenders()
  const event = await inbound.store(ctx, receiver, { headers, body: body!, scheme: checked.scheme })
  return event === null ? null : { kind: 'stored', event }
}

async function answerTo<R extends Receiver, Answer>(
  { answer }: Inbound<R, unknown, Answer>,
  receiver: R,
  { url, headers, body }: ReadRequest,
  isVerified: boolean,
): Promise<Answer | null> {
  if (body === null || receiver.isDisabled) return null
  return (await answer?.(receiver, { url, headers, body }, isVerified)) ?? null
}

interface SignatureCheck {
  reason: RefusalReason | null
  scheme: SignatureScheme | null
}

async function check<R extends Receiver>(
  { refuse }: Pick<Inbound<R, unknown, unknown>, 'refuse'>,
  receiver: R,
  { url, headers, body }: ReadRequest,
  now: Date,
): Promise<SignatureCheck> {
  if (body === null) return { reason: 'too_large', scheme: null }
  const reason = refuse?.(headers) ?? null
  if (reason) return { reason, scheme: null }
  if (receiver.verify) return { reason: await receiver.verify({ url, headers, body }, now), scheme: null }
  return verify(receiver.schemes, { url, headers, body }, receiver.secrets(now), now)
}

function challengeOf(scheme: SignatureScheme, body: Buffer): string | null {
  const handshake = 'handshake' in scheme ? scheme.handshake : undefined
  if (!handshake || bodyField(body, 'type') !== handshake.type) return null
  const challenge = bodyField(body, handshake.echo)
  return typeof challenge === 'string' ? challenge : null
}

export async function recordRefusal<R extends Receiver>(
  ctx: PublicContext<'quotas'>,
  { record }: Pick<Inbound<R, unknown, unknown>, 'record'>,
  receiver: R,
  headers: Headers,
  { reason, scheme }: SignatureCheck,
): Promise<void> {
  const now = ctx.now()
  const { allowed } = await takeToken(ctx.sql, REFUSALS_RECORDED, receiver.id, now)
  if (!allowed) return
  const refusal: Refusal = {
    verification: { scheme: scheme?.name ?? null, result: scheme ? 'invalid' : 'none', reason },
    headers: redactHeaders(headers, receiver.secrets(now)),
    now,
  }
  // Skipped over the quota.
  await ctx.quotas.within(ctx.sql, receiver.orgId, { events: 1 }, () => record(ctx, receiver, refusal))
}

interface RawContent {
  content: AsyncIterable<Uint8Array>
  contentLength: number | null
}

/** Senders sign the exact bytes. Null if over `bytesMax`. */
export async function readRawBody(
  { content, contentLength }: RawContent,
  bytesMax: number,
): Promise<Buffer | null> {
  if (contentLength !== null && contentLength > bytesMax) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
