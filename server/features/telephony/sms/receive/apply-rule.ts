import { counted } from '../../../../../contract/counted.ts'
import { createContext, type JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { deriveTitle, readOutsideFiles } from '../../../agents/chat/chat.ts'
import { deliverMessage, resolveActingMember } from '../../../agents/outside-messages/outside-messages.ts'
import { startBlock } from '../../../canvas/agent-blocks/agent-blocks.ts'
import { isReachable } from '../../carrier/destination.ts'
import { chooseAction } from '../../routing/match-rule.ts'
import { DEFAULT_ACTION } from '../../routing/rule.ts'
import { listRulesForProject } from '../../routing/rule-queries.ts'
import { consumeAutomaticReply } from '../automatic-replies.ts'
import type { SendingNumber } from '../send/queries.ts'
import { queueAutomaticSms } from '../send/queue-sms.ts'
import { splitText } from '../split-text.ts'
import { type HandlingResult, type PendingSms, updateSession } from './queries.ts'

/** Runs in the caller's transaction. */
export async function applyRule(
  models: ModelChoices,
  ctx: JobContext<'quotas'>,
  orgId: string,
  number: SendingNumber,
  message: PendingSms,
): Promise<HandlingResult> {
  const { sql } = ctx
  const { peer: from, body: text } = message
  const at = new Date(message.createdAt)
  const rules = await listRulesForProject(sql, orgId, number.projectId)
  const incoming = { channel: 'sms', numberId: number.id, from, text, at } as const
  const { rule, action } = chooseAction(rules, incoming)
  // The default is for calls. A message that no rule answers gets no answer.
  if (rule === null || action === DEFAULT_ACTION)
    return { handling: 'done', error: 'No rule answers messages to this number' }
  const { id: ruleId, ownerId } = rule
  const ruleContext: RuleContext = { models, ctx, orgId, number, message, ruleId, ownerId }
  const done: HandlingResult = { handling: 'done', ruleId }
  switch (action.type) {
    case 'agent':
      return { ...done, ...(await deliverToAgent(ruleContext, action.agentId!)) }
    case 'workflow':
      return {
        ...done,
        ...(await startWorkflow(ruleContext, action as { blockId: string; projectId: string })),
      }
    case 'forward':
      await forward(ruleContext, action.targets ?? [])
      return done
    case 'voicemail':
    case 'reject':
      await answer(ruleContext, action.message)
      return done
  }
}

interface RuleContext {
  models: ModelChoices
  ctx: JobContext<'quotas'>
  orgId: string
  number: SendingNumber
  message: PendingSms
  ruleId: string
  ownerId: string
}

async function deliverToAgent(ruleContext: RuleContext, agentId: string): Promise<HandlingResult> {
  const { models, ctx, orgId, number, message } = ruleContext
  const { projectId } = number
  const { peer } = message
  const inside = await asOwner(ruleContext, projectId)
  const files = await readOutsideFiles(inside, message.media)
  const { content, body } = messageFor(number.e164, message)
  const { sessionId, messageId, runId } = await deliverMessage(models, inside, {
    // Includes the project, so a number that moves starts new sessions.
    key: `sms:${number.id}:${peer}:${projectId}`,
    projectId,
    agentId,
    title: deriveTitle(`${peer}: ${body}`),
    origin: 'call',
    trigger: 'provider_event',
    // Text is fenced as data, an image can't be.
    trust: files.some(({ type }) => type === 'image') ? 'untrusted' : 'verified',
    content: [...content, ...files],
    fileIds: message.media,
    body,
  })
  await updateSession(ctx.sql, orgId, { numberId: number.id, peer }, sessionId)
  return { handling: 'running', sessionId, messageId, runId }
}

async function startWorkflow(
  ruleContext: RuleContext,
  { projectId, blockId }: { projectId: string; blockId: string },
): Promise<HandlingResult> {
  const { models, message } = ruleContext
  const inside = await asOwner(ruleContext, projectId)
  const outside = { source: `a text message from ${message.peer}`, text: textOf(message) }
  const runId = await startBlock(models, inside, { projectId, blockId, downstream: true, outside })
  return { handling: 'done', runId }
}

/** With the current permissions of the member who last changed the rule. */
async function asOwner({ ctx, orgId, ruleId, ownerId }: RuleContext, projectId: string) {
  const { caller } = await resolveActingMember(ctx.sql, orgId, {
    userId: ownerId,
    projectId,
    credentialId: ruleId,
  })
  if (!caller) throw new ApiError('FORBIDDEN', 'The member who last changed the rule cannot edit the project')
  return createContext({ ...ctx, caller })
}

/**
 * Text only, as files stay in the project. Counts as an automatic reply: otherwise phones that answer automatically
 * would write to each other forever.
 */
async function forward({ ctx, orgId, number, message, ownerId }: RuleContext, targets: readonly string[]) {
  const { peer } = message
  const now = ctx.now()
  if (!(await consumeAutomaticReply(ctx.sql, orgId, { numberId: number.id, peer }, now))) return
  for (const to of targets.filter((target) => target !== peer))
    for (const body of splitText(`From ${peer}: ${textOf(message)}`)) {
      const sms = { number, to, body, purpose: 'forward' as const, createdBy: ownerId }
      await queueAutomaticSms(ctx.sql, orgId, sms, now)
    }
}

async function answer({ ctx, orgId, number, message, ownerId }: RuleContext, text: string | undefined) {
  const { peer: to } = message
  if (text === undefined || !isReachable(to)) return
  const pair = { numberId: number.id, peer: to }
  if (!(await consumeAutomaticReply(ctx.sql, orgId, pair, ctx.now()))) return
  for (const body of splitText(text))
    await queueAutomaticSms(
      ctx.sql,
      orgId,
      { number, to, body, purpose: 'reply', createdBy: ownerId },
      ctx.now(),
    )
}

/** For the model. The sender's text is data, not a member's request. */
function messageFor(e164: string, message: PendingSms) {
  const { peer, media, remoteMedia } = message
  const files = media.map((id) => `A file from the message is in the folder Messages, with the id ${id}.`)
  const missingFiles = remoteMedia.map(() => 'A file from the message could not be stored.')
  const intro = [
    `A text message arrived at ${e164}. Your answer is sent back as a text message: keep it short, without formatting.`,
    ...files,
    ...missingFiles,
  ].join('\n')
  const data = stableFence(`From: ${peer}\n\n${message.body}`.trim(), 'a text message (outside)')
  return { content: [{ type: 'text' as const, text: `${intro}\n\n${data}` }], body: textOf(message) }
}

function textOf({ body, media, remoteMedia }: Pick<PendingSms, 'body' | 'media' | 'remoteMedia'>): string {
  const count = media.length + remoteMedia.length
  const files = count === 0 ? '' : `[${counted(count, 'file')}]`
  return [body.trim(), files].filter(Boolean).join(' ') || '[empty message]'
}
