import {
  type ActiveRule,
  createTextFilter,
  findMatches,
  isModelRule,
  type PartRule,
  type RuleMatches,
  screenText,
} from '../../guardrails/guardrails.ts'
import type { ArrivingAnswer } from '../state/answer.ts'
import { redact } from './screen-input.ts'
import type { ScreeningRules } from './screening.ts'

type Kind = 'text' | 'reasoning'

interface AnswerWriter {
  add: (kind: Kind, text: string) => void
}

/**
 * Holds back text that a rule may still redact or block, so no reader sees part of it. If a model decides, holds back
 * the whole answer.
 */
export function screenAnswer(
  { rules: { output: rules }, judge }: ScreeningRules,
  writer: AnswerWriter,
  onBlocked: () => void,
) {
  const counts = new Map<ActiveRule, Record<string, number>>()
  let blockedBy: ActiveRule | null = null
  const count = (rule: ActiveRule, label: string) => {
    const labels = counts.get(rule) ?? {}
    labels[label] = (labels[label] ?? 0) + 1
    counts.set(rule, labels)
  }
  const chains = { text: chainOf(rules, count), reasoning: chainOf(rules, count) }
  const isHeld = rules.some((rule) => isModelRule(rule) && rule.action === 'block')
  const passed = { text: '', reasoning: '' }

  function pass(kind: Kind, text: string): void {
    passed[kind] += text
    if (!isHeld) writer.add(kind, text)
    const rule = chains[kind].blockedBy()
    if (!rule || blockedBy) return
    blockedBy = rule
    onBlocked()
  }

  async function screenWhole(): Promise<void> {
    for (const rule of rules.filter(isModelRule)) {
      const { matched, blockedBy: blocker } = await screenText([rule], passed.text, judge)
      for (const { labels } of matched) for (const label of Object.keys(labels)) count(rule, label)
      blockedBy ??= blocker
    }
    for (const rule of rules)
      if (!isModelRule(rule) && rule.action === 'flag')
        for (const { label } of findMatches(rule.find, passed.text)) count(rule, label)
  }

  return {
    add(kind: Kind, text: string): void {
      if (!blockedBy) pass(kind, chains[kind].add(text))
    },
    /** The answer contains only text that passed, and names the blocking rule. */
    async end(answer: ArrivingAnswer): Promise<ArrivingAnswer> {
      if (rules.length === 0) return answer
      for (const kind of ['reasoning', 'text'] as const) if (!blockedBy) pass(kind, chains[kind].end())
      if (!blockedBy && !answer.failure) await screenWhole()
      if (isHeld && !blockedBy)
        for (const kind of ['reasoning', 'text'] as const) writer.add(kind, passed[kind])
      const matched: RuleMatches[] = [...counts].map(([rule, labels]) => ({ rule, labels }))
      return {
        ...answer,
        text: passed.text,
        messages: await redactMessages(rules, answer),
        blockedBy,
        matched,
      }
    },
  }
}

function chainOf(rules: readonly ActiveRule[], count: (rule: ActiveRule, label: string) => void) {
  const filters = rules
    .filter((rule): rule is PartRule => !isModelRule(rule) && rule.action !== 'flag')
    .map((rule) => ({
      rule,
      filter: createTextFilter({
        find: rule.find,
        action: rule.action as 'block' | 'redact',
        onMatch: ({ label }) => count(rule, label),
      }),
    }))
  return {
    add: (text: string) => filters.reduce((rest, { filter }) => filter.add(rest), text),
    end: () => filters.reduce((rest, { filter }) => filter.add(rest) + filter.end(), ''),
    blockedBy: () => filters.find(({ filter }) => filter.isBlocked())?.rule ?? null,
  }
}

/** Drops reasoning that a rule changes: its signature would no longer match. */
async function redactMessages(rules: readonly ActiveRule[], { messages }: Pick<ArrivingAnswer, 'messages'>) {
  const result: ArrivingAnswer['messages'] = []
  for (const message of messages) {
    if (message.role !== 'assistant') result.push(message)
    else if (typeof message.content === 'string')
      result.push({ ...message, content: await redact(rules, message.content) })
    else {
      const content: typeof message.content = []
      for (const part of message.content) {
        if (part.type === 'text') content.push({ ...part, text: await redact(rules, part.text) })
        else if (part.type !== 'reasoning' || (await redact(rules, part.text)) === part.text)
          content.push(part)
      }
      result.push({ ...message, content })
    }
  }
  return result
}
