export interface Remedy {
  advice: string
  /** The page where the next action is. */
  to?: 'models' | 'agent'
}

const REMEDIES: Record<string, Remedy> = {
  unknown_model: {
    advice: 'Add a provider that offers it, or choose another model for the agent.',
    to: 'models',
  },
  provider_rejected_key: { advice: 'Check the API key and the credit of the provider.', to: 'models' },
  provider_unavailable: { advice: 'Retry later, or give the agent fallback models.', to: 'agent' },
  provider_rejected_request: { advice: 'Another model may accept it.', to: 'agent' },
  refused: { advice: 'Rephrase the message, or choose another model for the agent.', to: 'agent' },
  context_too_long: {
    advice: 'Start a new chat, or choose a model with a larger context window.',
    to: 'agent',
  },
  step_limit: { advice: 'Retry to continue, or raise the limit.', to: 'agent' },
  time_limit: { advice: 'Retry to continue, or raise the limit.', to: 'agent' },
  interrupted_too_often: { advice: 'Retry, and ask the operator to look at the log of the server.' },
  access_lost: { advice: 'A member with access can send the message again.' },
}

export const remedyOf = (errorCode: string | null): Remedy | null => REMEDIES[errorCode ?? ''] ?? null
