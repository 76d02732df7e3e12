import { z } from 'zod'
import { FEEDBACK_STATUS, type FeedbackStatus } from '../../../contract/feedback.ts'
import type { JobContext } from '../../context.ts'
import { job } from '../../jobs/job.ts'
import { onJob } from '../../jobs/job-handler.ts'
import { type Mail, queueMail } from '../../mail/mail.ts'
import { consumeNotificationMail } from '../../mail/mail-limits.ts'
import { speak, type Words } from '../../mail/words.ts'
import { listOperators } from '../accounts/accounts/accounts.ts'
import { findQueued } from './queue-queries.ts'
import { findComment, listParticipants } from './thread-queries.ts'

const EXCERPT_LENGTH = 60

async function notifyOperators(ctx: JobContext<'mail'>, { orgId, id }: { orgId: string; id: string }) {
  const item = await findQueued(ctx.sql, id)
  if (!item) return
  for (const operator of await listOperators(ctx.sql)) {
    if (operator.id === item.userId) continue
    const { t, textWithNames } = speak(operator.language)
    await mail(ctx, orgId, {
      id: `feedback-${id}-to-${operator.id}`,
      to: operator.email,
      subject: textWithNames`Feedback from ${item.userName} (${item.orgName}): ${excerpt(item.message)}`,
      text: `${item.message}\n\n${t`Open it in the queue: ${ctx.mail.linkTo(`/operate/feedback/${id}`)}`}`,
    })
  }
}

async function notifyComment(
  ctx: JobContext<'mail'>,
  { orgId, feedbackId, id }: { orgId: string; feedbackId: string; id: string },
) {
  const [comment, item] = await Promise.all([
    findComment(ctx.sql, orgId, feedbackId, id),
    findQueued(ctx.sql, feedbackId),
  ])
  if (!comment || !item) return
  for (const recipient of await listParticipants(ctx.sql, orgId, feedbackId)) {
    if (recipient.id === comment.authorId) continue
    const { t, textWithNames } = speak(recipient.language)
    await mail(ctx, orgId, {
      id: `comment-${id}-to-${recipient.id}`,
      to: recipient.email,
      subject: textWithNames`${comment.authorName} commented on “${excerpt(item.message)}”`,
      text: `${comment.body}\n\n${t`Reply: ${ctx.mail.linkTo(`/feedback/${feedbackId}`)}`}`,
    })
  }
}

interface StatusChange {
  orgId: string
  feedbackId: string
  changeId: string
  status: FeedbackStatus
}

async function notifyStatus(ctx: JobContext<'mail'>, { orgId, feedbackId, changeId, status }: StatusChange) {
  const item = await findQueued(ctx.sql, feedbackId)
  if (!item) return
  const words = speak(item.userLanguage)
  const { t } = words
  await mail(ctx, orgId, {
    id: `feedback-change-${changeId}`,
    to: item.userEmail,
    subject: t`Your feedback is now “${statuses(words)[FEEDBACK_STATUS[status]]}”`,
    text: `${excerpt(item.message)}\n\n${t`View it: ${ctx.mail.linkTo(`/feedback/${feedbackId}`)}`}`,
  })
}

const statuses = ({ t }: Words): Record<(typeof FEEDBACK_STATUS)[FeedbackStatus], string> => ({
  received: t`received`,
  under_review: t`under review`,
  planned: t`planned`,
  in_progress: t`in progress`,
  done: t`done`,
  declined: t`declined`,
})

async function mail(ctx: JobContext, orgId: string, message: Mail): Promise<void> {
  if (await consumeNotificationMail(ctx, message.to)) await queueMail(ctx.sql, orgId, message, ctx.now())
}

function excerpt(message: string): string {
  const line = message.replace(/\s+/g, ' ')
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH).toWellFormed()}…` : line
}

const status = z.enum(Object.keys(FEEDBACK_STATUS) as [FeedbackStatus])

export const announceSubmission = job('feedback.announce', z.object({ orgId: z.uuid(), id: z.uuid() }))
export const announceComment = job(
  'feedback.announce-comment',
  z.object({ orgId: z.uuid(), feedbackId: z.uuid(), id: z.uuid() }),
)
export const announceStatus = job(
  'feedback.announce-status',
  z.object({ orgId: z.uuid(), feedbackId: z.uuid(), changeId: z.uuid(), status }),
)

export const feedbackJobs = [
  onJob(announceSubmission, notifyOperators),
  onJob(announceComment, notifyComment),
  onJob(announceStatus, notifyStatus),
]
