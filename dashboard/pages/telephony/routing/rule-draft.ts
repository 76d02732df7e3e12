import { type RULE_ACTIONS, WEEKDAYS } from '../../../../contract/telephony/telephony-options.ts'
import { browserTimeZone } from '../../../components/forms/time-zones.ts'
import { phoneList } from '../numbers/number-draft.ts'
import { asE164 } from '../phone.tsx'
import type { NewRule, RoutingRule, RuleAction } from '../telephony-queries.ts'

export interface ActionDraft {
  type: (typeof RULE_ACTIONS)[number]
  agentId: string
  projectId: string
  blockId: string
  targets: string
  message: string
  record: boolean
}

export interface RuleDraft {
  name: string
  channel: 'voice' | 'sms' | 'both'
  /** Empty means all numbers. */
  numberIds: string[]
  callerPrefix: string
  contains: string
  hasSchedule: boolean
  tz: string
  days: (typeof WEEKDAYS)[number][]
  from: string
  to: string
  holidays: string
  action: ActionDraft
  fallback: ActionDraft
}

const actionDraft = (action: RuleAction | undefined, type: ActionDraft['type']): ActionDraft => ({
  type: action?.type ?? type,
  agentId: action?.agentId ?? '',
  projectId: '',
  blockId: action?.blockId ?? '',
  targets: action?.targets?.join('\n') ?? '',
  message: action?.message ?? '',
  record: action?.record ?? false,
})

export function toDraft(rule: RoutingRule | undefined): RuleDraft {
  const { channel = 'both', numberIds = [], callerPrefix = '', contains = '', schedule } = rule?.match ?? {}
  return {
    name: rule?.name ?? '',
    channel,
    numberIds,
    callerPrefix,
    contains,
    hasSchedule: schedule !== undefined,
    tz: schedule?.tz ?? browserTimeZone(),
    days: schedule?.days ?? WEEKDAYS.slice(0, 5),
    from: schedule?.from ?? '09:00',
    to: schedule?.to ?? '17:00',
    holidays: schedule?.holidays?.join(', ') ?? '',
    action: actionDraft(rule?.action, 'agent'),
    fallback: actionDraft(rule?.fallback, 'reject'),
  }
}

/** In the API's format, without fields its channel and action don't use. */
export function toRoutingRule(
  draft: RuleDraft,
  firstAgentId: string,
): Required<Pick<NewRule, 'name' | 'match' | 'action' | 'fallback'>> {
  const { name, channel, numberIds, callerPrefix, contains, hasSchedule, tz, days, from, to } = draft
  const holidays = draft.holidays.split(/[,;\s]+/).filter((date) => date !== '')
  return {
    name: name.trim(),
    match: {
      channel,
      numberIds: numberIds.length > 0 ? numberIds : undefined,
      callerPrefix: asE164(callerPrefix) || undefined,
      contains: channel === 'voice' ? undefined : contains.trim() || undefined,
      schedule: hasSchedule
        ? { tz, days, from, to, holidays: holidays.length > 0 ? holidays : undefined }
        : undefined,
    },
    action: actionOf(draft.action, firstAgentId),
    fallback: actionOf(draft.fallback, firstAgentId),
  }
}

function actionOf(draft: ActionDraft, firstAgentId: string): RuleAction {
  const { type, agentId, blockId, record } = draft
  const targets = phoneList(draft.targets)
  return {
    type,
    message: draft.message.trim() || undefined,
    ...(type === 'agent' && { agentId: agentId || firstAgentId || undefined }),
    ...(type === 'workflow' && { blockId: blockId || undefined }),
    ...((type === 'forward' || (type === 'agent' && targets.length > 0)) && { targets }),
    ...((type === 'agent' || type === 'forward') && record && { record }),
  }
}
