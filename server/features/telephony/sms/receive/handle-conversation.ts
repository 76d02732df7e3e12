import type { JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { waitingIn } from '../../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { mayAnswer, updatePaused } from '../automatic-replies.ts'
import { findSendingNumber } from '../send/queries.ts'
import { applyRule } from './apply-rule.ts'
import {
  type ClaimedConversation,
  claimConversations,
  findPending,
  isOwnNumber,
  lockConversation,
  type PendingSms,
  RECEIVED_QUEUE,
  releaseConversation,
  updateHandled,
} from './queries.ts'
import { RECEIVED_CHANNEL } from './receive.ts'
import { storeMedia } from './store-media.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 8

/** Longer than one claim's messages and files take. */
const LEASE_MS = 600_000

const FAULT_PAUSE_MS = 60_000

/** Then the organization's other conversations take their turn. */
const MESSAGES_PER_CLAIM = 20

const ATTEMPTS_MAX = 10
const RETRY_MIN_MS = 5000
const RETRY_MAX_MS = 3_600_000

export const startReceivedWorker = (options: TelephonyOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedConversation>(runtime, {
    name: 'received text messages',
    channel: RECEIVED_CHANNEL,
    waiting: waitingIn(RECEIVED_QUEUE),
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    claim: (request) => claimConversations(runtime.pool, request),
    run: (conversation) => handleConversation(options, runtime.context(), conversation),
    release: (conversation) => releaseAfterFault(runtime.context(), conversation),
  })

/** In order of arrival, each in one transaction. */
export async function handleConversation(
  options: TelephonyOptions,
  ctx: JobContext<'objects' | 'outbound' | 'quotas' | 'vault'>,
  claimed: ClaimedConversation,
): Promise<void> {
  const { orgId } = claimed
  let { failures } = claimed
  let retryAt = ctx.now()
  for (let count = 0; count < MESSAGES_PER_CLAIM; count++) {
    const message = await findPending(ctx.sql, orgId, claimed)
    if (!message) break
    try {
      if ((await handleMessage(options, ctx, claimed, message)) === 'stop') break
      failures = 0
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures++
      if (failures < ATTEMPTS_MAX) {
        retryAt = new Date(ctx.now().getTime() + Math.min(RETRY_MIN_MS * 2 ** failures, RETRY_MAX_MS))
        break
      }
      failures = 0
      await updateHandled(ctx.sql, orgId, message.id, { handling: 'failed', error: error.message })
    }
  }
  await ctx.transaction(async ({ sql }) => {
    if (await lockConversation(sql, orgId, claimed))
      await releaseConversation(sql, orgId, claimed, { retryAt, failures })
  })
}

/** `stop`: the conversation is paused or another worker has it. */
async function handleMessage(
  options: TelephonyOptions,
  ctx: JobContext<'objects' | 'outbound' | 'quotas' | 'vault'>,
  claimed: ClaimedConversation,
  pending: PendingSms,
): Promise<'next' | 'stop'> {
  const { orgId, numberId, peer } = claimed
  const number = await findSendingNumber(ctx.sql, orgId, numberId)
  const message = number ? await storeMedia(options, ctx, orgId, number, pending) : pending
  const choices = await options.models.choices(orgId)
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    const conversation = await lockConversation(sql, orgId, claimed)
    if (!conversation || conversation.isPaused) return 'stop'
    const end = (error: string) => updateHandled(sql, orgId, message.id, { handling: 'done', error })
    if (!number) {
      await end('The number was released')
      return 'next'
    }
    // Two agents would answer each other forever.
    if (await isOwnNumber(sql, peer)) {
      await end('The sender is a number on this server')
      return 'next'
    }
    if (!mayAnswer(conversation, ctx.now())) {
      await updatePaused(sql, orgId, claimed, ctx.now())
      return 'stop'
    }
    await updateHandled(sql, orgId, message.id, await applyRule(choices, inside, orgId, number, message))
    return 'next'
  })
}

/** Waits a minute after a server fault, so one message can't occupy the workers. */
const releaseAfterFault = (ctx: JobContext, claimed: ClaimedConversation) =>
  ctx.transaction(async ({ sql }) => {
    const { orgId, failures } = claimed
    const retryAt = new Date(ctx.now().getTime() + FAULT_PAUSE_MS)
    if (await lockConversation(sql, orgId, claimed))
      await releaseConversation(sql, orgId, claimed, { retryAt, failures: failures + 1 })
  })
