import { ApiError } from '../../../../errors.ts'
import {
  type ActiveRule,
  isModelRule,
  type RuleMatches,
  screenText,
  screenValue,
} from '../../guardrails/guardrails.ts'
import type { Answer, RequestedCall } from '../state/answer.ts'
import type { ScreeningRules } from './screening.ts'

export interface CallMatches {
  callId: string
  matched: RuleMatches[]
}

/** A blocked call ends with an error. */
export async function screenCalls(
  { rules: { tool: rules }, judge }: ScreeningRules,
  answer: Answer,
): Promise<{ answer: Answer; callMatches: CallMatches[] }> {
  if (rules.length === 0 || answer.calls.length === 0) return { answer, callMatches: [] }
  const { calls, callMatches } = await screenInputs({ rules, judge }, answer.calls)
  return { answer: { ...answer, calls, messages: withInputs(answer.messages, calls) }, callMatches }
}

export async function screenInputs(
  { rules, judge }: { rules: ScreeningRules['rules']['tool']; judge: ScreeningRules['judge'] },
  requested: readonly RequestedCall[],
): Promise<{ calls: RequestedCall[]; callMatches: CallMatches[] }> {
  const callMatches: CallMatches[] = []
  const calls: RequestedCall[] = []
  if (rules.length === 0) return { calls: [...requested], callMatches }
  for (const call of requested) {
    const { value, blockedBy, matched } = await screenValue(rules, call.input, judge)
    if (matched.length > 0) callMatches.push({ callId: call.callId, matched })
    calls.push(
      blockedBy ? { ...call, input: {}, invalid: refusal(blockedBy, 'input') } : { ...call, input: value },
    )
  }
  return { calls, callMatches }
}

/** The model gets its own calls back in the next step. */
function withInputs(messages: Answer['messages'], calls: readonly RequestedCall[]): Answer['messages'] {
  const inputs = new Map(calls.map(({ callId, input }) => [callId, input]))
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message
    const content = message.content.map((part) =>
      part.type === 'tool-call' && inputs.has(part.toolCallId)
        ? { ...part, input: inputs.get(part.toolCallId) }
        : part,
    )
    return { ...message, content }
  })
}

/**
 * Also applies input rules if the output repeats conversation messages. Calls no model inside a transaction, because it
 * would stay open. Throws if a rule blocks the output.
 */
export async function screenOutput(
  { rules, judge }: ScreeningRules,
  output: unknown,
  { isConversation, isInTransaction }: { isConversation: boolean; isInTransaction: boolean },
): Promise<{ output: unknown; matched: RuleMatches[] }> {
  const applied = [...rules.tool, ...(isConversation ? rules.input.map(asRedaction) : [])].filter(
    (rule) => !(isInTransaction && isModelRule(rule)),
  )
  const { value, blockedBy, matched } = await screenValue(applied, output, judge)
  if (blockedBy) throw new BlockedOutput(blockedBy, matched)
  return { output: value, matched }
}

/** For members. The output, which has the lines for the model, is screened as a whole. */
export async function screenLines<Line extends { text: string }>(
  { rules, judge }: ScreeningRules,
  lines: readonly Line[],
): Promise<Line[]> {
  const partRules = rules.tool.filter((rule) => !isModelRule(rule))
  if (partRules.length === 0) return [...lines]
  const screened: Line[] = []
  for (const line of lines) {
    const { value, blockedBy } = await screenText(partRules, line.text, judge)
    screened.push({ ...line, text: blockedBy ? `[${refusal(blockedBy, 'line')}]` : value })
  }
  return screened
}

const asRedaction = (rule: ActiveRule): ActiveRule =>
  isModelRule(rule) || rule.action !== 'block' ? rule : { ...rule, action: 'redact' }

export class BlockedOutput extends ApiError {
  readonly matched: RuleMatches[]
  constructor(rule: ActiveRule, matched: RuleMatches[]) {
    super('FORBIDDEN', refusal(rule, 'result'), { details: { reason: 'guardrail', guardrailId: rule.id } })
    this.matched = matched
  }
}

const refusal = ({ name }: ActiveRule, subject: string) => `The guardrail “${name}” blocks this ${subject}`
