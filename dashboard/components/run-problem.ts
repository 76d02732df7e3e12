import type { AgentRun } from '../api/runs.ts'

/** The action that can resolve the failure of a run, with the page for it. */
export interface NextAction {
  text: string
  /** The page to open; undefined if retrying is the only action. */
  page?: 'agent' | 'models' | 'chat' | 'usage'
  label?: string
}

const AGENT = { page: 'agent', label: 'Open the agent' } as const
const MODELS = { page: 'models', label: 'Open models' } as const
const CHAT = { page: 'chat', label: 'Open the conversation' } as const

const USAGE = { page: 'usage', label: 'Open budgets' } as const

const ACTIONS: Record<string, NextAction> = {
  time_limit: { text: 'Raise the minutes in the limits of the agent, or divide the task.', ...AGENT },
  step_limit: { text: 'Raise the steps in the limits of the agent, or divide the task.', ...AGENT },
  interrupted_too_often: {
    text: 'Retry the run. If it happens again, ask the operator of this server to check its log.',
  },
  unknown_model: { text: 'Choose another model for the agent, or add the provider of this one.', ...AGENT },
  provider_rejected_key: { text: 'Check the API key and the credit of the provider.', ...MODELS },
  provider_unavailable: { text: 'Retry later, or give the agent a fallback model.', ...AGENT },
  provider_rate_limited: {
    text: 'Retry in a few minutes, raise the limit in your account at the provider, or give the agent a fallback model.',
    ...AGENT,
  },
  provider_rejected_request: { text: 'Retry with another model, or without attachments.', ...AGENT },
  refused: { text: 'Rephrase the request, or choose another model.', ...CHAT },
  context_too_long: { text: 'Start a new conversation, or choose a model with a larger window.', ...CHAT },
  budget_reached: { text: 'An admin can raise the budget; then retry the run.', ...USAGE },
  model_not_allowed: {
    text: 'Choose another model for the agent, or ask an admin to allow this one.',
    ...AGENT,
  },
  price_unknown: {
    text: 'Then retry the run, or choose another model for the agent.',
    page: 'models',
    label: 'Open model prices',
  },
  blocked_by_guardrail: { text: 'Rephrase the request, or ask an admin to change the guardrail.', ...CHAT },
  workflow_failed: { text: 'Open the failed block, then resume the workflow.' },
  access_lost: { text: 'A member with access to the project can send the message again.', ...CHAT },
}

const UNKNOWN: NextAction = { text: 'Retry the run.' }

/** The error of a failed run as a sentence, and the next action. */
export function problemOf({ error, errorCode }: Pick<AgentRun, 'error' | 'errorCode'>) {
  return {
    message: asSentence(error || 'The run failed'),
    next: (errorCode !== null && ACTIONS[errorCode]) || UNKNOWN,
  }
}

export const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
