import { ApiError } from '../../../../errors.ts'

export const runErrors = {
  time_limit: (detail = 'its time limit') => `The run reached ${detail}`,
  step_limit: (detail = 'its step limit') => `The run reached ${detail}`,
  interrupted_too_often: () => 'The server stopped five times during the same step',
  unknown_model: (detail = 'The model does not exist') => detail,
  provider_rejected_key: (detail = 'The provider rejected the API key') => detail,
  provider_unavailable: (detail = 'The provider did not respond') => detail,
  provider_rate_limited: (detail = 'The provider is limiting requests') => detail,
  provider_rejected_request: (detail = 'The provider rejected the request') => detail,
  refused: (detail = 'The provider refused the content') => detail,
  context_too_long: (detail = 'The conversation doesn’t fit into the model’s context window') => detail,
  program_failed: (detail = 'The program failed') => detail,
  workflow_failed: (detail = 'A workflow block failed') => detail,
  budget_reached: (detail = 'a budget') => `The run reached ${detail}`,
  model_not_allowed: (detail = 'The organization does not allow the model') => detail,
  price_unknown: (detail = 'The model’s price isn’t known, so no budget can limit it') => detail,
  blocked_by_guardrail: (detail = 'A guardrail') => `${detail} blocks this`,
  invalid_output: (detail = 'The answer does not match the result format') => detail,
  internal: () => 'The server couldn’t continue the run because an internal error occurred',
  access_lost: (detail = 'The member or API key that started the run lost access to the project') => detail,
} satisfies Record<string, (detail?: string) => string>

export type RunEndCode = keyof typeof runErrors

export const accessLost = () =>
  new ApiError('FORBIDDEN', runErrors.access_lost(), { details: { reason: 'access_lost' } })
