import { t } from '../../../contract/text.ts'
import type { Approval } from '../../api/approvals.ts'
import { formatMoney } from '../amounts.ts'
import type { Meaning } from '../status.tsx'

type Risk = Approval['risk']

export const RISKS: Record<Risk, { label: string; affects: (project: string) => string }> = {
  none: { label: t`Rule`, affects: () => t`An agent rule requires approval for this call.` },
  send: { label: t`Sends`, affects: () => t`Reaches people or services outside your organization.` },
  spend: { label: t`Spends`, affects: () => t`Costs your organization money.` },
  delete: {
    label: t`Deletes`,
    affects: (project) => t`Removes content for everyone who can see ${project}.`,
  },
  share: { label: t`Shares`, affects: (project) => t`Gives others access to ${project}.` },
  execute: { label: t`Executes`, affects: () => t`Runs code or commands.` },
}

export const DECISIONS: Record<NonNullable<Approval['decision']>, { label: string; meaning: Meaning }> = {
  approved: { label: t`Approved`, meaning: 'good' },
  answered: { label: t`Answered`, meaning: 'good' },
  denied: { label: t`Denied`, meaning: 'bad' },
  expired: { label: t`Expired`, meaning: 'neutral' },
  canceled: { label: t`Canceled`, meaning: 'neutral' },
  superseded: { label: t`Settled by a message`, meaning: 'neutral' },
}

export function costIn(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const { amount, currency } = input as { amount?: unknown; currency?: unknown }
  const isAmount = typeof amount === 'number' || (typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount))
  if (!isAmount) return null
  if (typeof currency !== 'string') return String(amount)
  return /^[A-Za-z]{3}$/.test(currency) ? formatMoney(String(amount), currency) : `${amount} ${currency}`
}

export type ParsedInput = { value: unknown; problem?: undefined } | { value?: undefined; problem: string }

export function parseInput(text: string): ParsedInput {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value }
      : { problem: t`must be a JSON object, such as ${'{ "name": "value" }'}` }
  } catch (error) {
    return { problem: t`isn’t valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
