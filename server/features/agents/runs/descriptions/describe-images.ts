import { setTimeout as delay } from 'node:timers/promises'
import type { JobContext } from '../../../../context.ts'
import { addJob } from '../../../../jobs/job.ts'
import { priceUsage } from '../../../../language-models/cost.ts'
import { newId } from '../../../../security/ids.ts'
import { budgetsChanged, releaseAmount, reserveAmount } from '../../../billing/budgets/budgets.ts'
import { findSource, type ImageRef, type ReadImage, readModelImage } from '../../../files/files/files.ts'
import { imageKey } from '../state/image-parts.ts'
import { imageTokens } from '../state/image-tokens.ts'
import { descriptionAbandoned } from '../state/jobs.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { StepNumber } from '../state/step-queries.ts'
import { recordDescription } from '../usage/record-usage.ts'
import {
  askDescriber,
  type Describer,
  INSTRUCTION_TOKENS,
  OUTPUT_TOKENS_MAX,
  type WrittenDescription,
} from './ask-describer.ts'
import {
  claimDescription,
  type DescribedContent,
  findDescription,
  releaseClaim,
  storeDescription,
  storeFailure,
} from './queries.ts'
import type { SilentModels } from './silent-models.ts'

export interface ImageDescription {
  text: string
  /** That wrote it. */
  model: string
}

type DescribeContext = JobContext<'objects'>

const CONCURRENCY_MAX = 4
/** For a step's images together. The others wait for the next step. */
const TIME_MS = 120_000
/** Longer than one description takes. Then another process may have ended. */
const CLAIM_MS = 90_000
const POLL_MS = 500
/** Until the next attempt after a failure. */
const RETRY_MS = 600_000

export interface DescribingStep {
  run: EngineRun
  step: StepNumber
  describer: Describer
  silent: SilentModels
}

/**
 * Each content is described once and then read, so that a repeated step sends the same text. Images without a
 * description are absent. Newest last in `refs`, and described first.
 */
export async function describeImages<R extends ImageRef>(
  ctx: DescribeContext,
  describing: DescribingStep,
  refs: readonly R[],
  stop: AbortSignal,
): Promise<Map<string, ImageDescription>> {
  const descriptions = new Map<string, ImageDescription>()
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIME_MS)])
  const isSilent = () => describing.silent.has(describing, ctx.now())
  const waiting = [...new Map(refs.map((ref) => [imageKey(ref), ref]))]
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next && !signal.aborted; next = waiting.pop()) {
      const [key, ref] = next
      const description = await describeImage(ctx, describing, ref, { signal, isSilent })
      if (description) descriptions.set(key, description)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY_MAX }, work))
  return descriptions
}

async function describeImage(
  ctx: DescribeContext,
  describing: DescribingStep,
  ref: ImageRef,
  { signal, isSilent }: { signal: AbortSignal; isSilent: () => boolean },
): Promise<ImageDescription | null> {
  const { orgId } = describing.run
  const source = await findSource(ctx.sql, orgId, ref)
  if (!source) return null
  const content = { sourceKey: source.key, page: ref.page ?? 0 }
  while (!signal.aborted) {
    const state = await findDescription(ctx.sql, orgId, content)
    if (state?.description) return state.description
    if (isSilent()) return null
    const now = ctx.now()
    if (!state || state.retryAt <= now) {
      const claimId = newId()
      const until = new Date(now.getTime() + CLAIM_MS)
      const claim = { ...content, claimId, model: describing.describer.id, until, now }
      if (await claimDescription(ctx.sql, orgId, claim))
        return describeClaimed(ctx, describing, ref, claim, signal)
      // The content was purged, or another process was faster.
      if (!(await findDescription(ctx.sql, orgId, content))) return null
    } else if (state.isFailed) return null
    await delay(POLL_MS, undefined, { signal }).catch(() => {})
  }
  return null
}

type Claim = DescribedContent & { claimId: string }

async function describeClaimed(
  ctx: DescribeContext,
  describing: DescribingStep,
  ref: ImageRef,
  claim: Claim,
  signal: AbortSignal,
): Promise<ImageDescription | null> {
  const { orgId } = describing.run
  const { claimId } = claim
  let isOpen = true
  try {
    const image = await readModelImage(ctx, orgId, ref)
    if ('failed' in image) return null
    // A budget may refuse this run only.
    if (!(await reserve(ctx, describing, claimId, image))) return null
    const written = await askDescriber(describing.describer, image, signal)
    await charge(ctx, describing, image, written)
    if (written.isSilent) describing.silent.add(describing, ctx.now())
    if (written.text !== '') await storeDescription(ctx.sql, orgId, claim, written.text)
    else if (!signal.aborted)
      await storeFailure(ctx.sql, orgId, claim, new Date(ctx.now().getTime() + RETRY_MS))
    else return null
    isOpen = false
    return written.text === '' ? null : { text: written.text, model: describing.describer.id }
  } finally {
    if (isOpen) await releaseClaim(ctx.sql, orgId, claim)
    await releaseReserved(ctx, { orgId, claimId })
  }
}

const reserve = (
  ctx: DescribeContext,
  { run, describer }: DescribingStep,
  id: string,
  image: ReadImage,
): Promise<boolean> =>
  ctx.transaction(async ({ sql }) => {
    const { pricing } = describer
    const input = inputTokens(describer, image)
    const tokens = { input, output: OUTPUT_TOKENS_MAX, cacheRead: 0, cacheWrite: 0 }
    const amount = pricing && priceUsage(pricing, tokens).amount
    const now = ctx.now()
    const reserved = await reserveAmount(sql, run, { id, amount }, now)
    if (reserved.refusal) return false
    const runAt = new Date(now.getTime() + CLAIM_MS)
    const abandoned = { orgId: run.orgId, claimId: id }
    if (reserved.isReserved) await sql`select ${addJob(sql, descriptionAbandoned, abandoned, { runAt })}`
    return true
  })

const inputTokens = ({ found }: Describer, image: ReadImage): number =>
  INSTRUCTION_TOKENS + imageTokens(image, { kind: found.provider.kind, isAccepted: true, isDescribed: false })

/** Free if it failed before its first token. */
async function charge(
  ctx: DescribeContext,
  { run, step, describer }: DescribingStep,
  image: ReadImage,
  written: WrittenDescription,
): Promise<void> {
  if (!written.isCharged) return
  const attempt = { ...step, model: describer.id }
  const context = { tokens: inputTokens(describer, image) }
  await recordDescription(ctx.sql, run, attempt, written, context, describer.pricing, ctx.now())
}

/** Also for a process that ended before. Runs waiting for the reserved amount try again. */
export const releaseReserved = (
  ctx: JobContext,
  { orgId, claimId }: { orgId: string; claimId: string },
): Promise<void> =>
  ctx.transaction(async ({ sql, enqueue }) => {
    if (await releaseAmount(sql, orgId, claimId)) await enqueue(budgetsChanged, { orgId })
  })
