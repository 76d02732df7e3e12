import { t } from '../../contract/text.ts'
import type { AgentRun } from '../api/runs.ts'
import { localizeRunError } from './run-errors.ts'

export interface NextAction {
  text: string
  /** Undefined if retrying is the only action. */
  page?: 'agent' | 'models' | 'chat' | 'usage'
  label?: string
}

const AGENT = { page: 'agent', label: t`Open agent` } as const
const MODELS = { page: 'models', label: t`Open models` } as const
const CHAT = { page: 'chat', label: t`Open conversation` } as const

const USAGE = { page: 'usage', label: t`Open budgets` } as const

const ACTIONS: Record<string, NextAction> = {
  time_limit: { text: t`Raise the agent’s minute limit, or split the task.`, ...AGENT },
  step_limit: { text: t`Raise the agent’s step limit, or split the task.`, ...AGENT },
  interrupted_too_often: {
    text: t`Retry the run. If it fails again, ask your operator to check the server log.`,
  },
  unknown_model: { text: t`Choose another model for the agent, or add this model’s provider.`, ...AGENT },
  provider_rejected_key: { text: t`Check the provider’s API key and credit.`, ...MODELS },
  provider_unavailable: { text: t`Retry later, or add a fallback model to the agent.`, ...AGENT },
  provider_rate_limited: {
    text: t`Retry in a few minutes, raise the limit in your provider account, or add a fallback model to the agent.`,
    ...AGENT,
  },
  provider_rejected_request: { text: t`Retry with another model, or without attachments.`, ...AGENT },
  refused: { text: t`Rephrase the request, or choose another model.`, ...CHAT },
  context_too_long: {
    text: t`Start a new conversation, or choose a model with a larger context window.`,
    ...CHAT,
  },
  budget_reached: { text: t`Ask an admin to raise the budget, then retry the run.`, ...USAGE },
  model_not_allowed: {
    text: t`Choose another model for the agent, or ask an admin to allow this one.`,
    ...AGENT,
  },
  price_unknown: {
    text: t`Then retry the run, or choose another model for the agent.`,
    page: 'models',
    label: t`Open model prices`,
  },
  blocked_by_guardrail: { text: t`Rephrase the request, or ask an admin to change the guardrail.`, ...CHAT },
  workflow_failed: { text: t`Open the failed block, then resume the workflow.` },
  access_lost: { text: t`A member with access to the project can send the message again.`, ...CHAT },
}

const UNKNOWN: NextAction = { text: t`Retry the run.` }

export function describeRunProblem({ error, errorCode }: Pick<AgentRun, 'error' | 'errorCode'>) {
  return {
    message: asSentence(error ? localizeFailure(error) : t`The run failed`),
    next: (errorCode !== null && ACTIONS[errorCode]) || UNKNOWN,
  }
}

export const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** `The provider is overloaded (HTTP 529): Try later` has a description, a status and the provider's own words. */
export function splitProviderFailure(message: string) {
  const [, description = message, status, words = ''] =
    /^(.*?)(?: \(HTTP (\d{3})\))?(?:: (.*))?$/s.exec(message) ?? []
  return { description: localizeRunError(description), status: status ?? null, words }
}

function localizeFailure(error: string): string {
  const { description, status, words } = splitProviderFailure(error)
  const withStatus = status === null ? description : `${description} (HTTP ${status})`
  return words ? `${withStatus}: ${words}` : withStatus
}
