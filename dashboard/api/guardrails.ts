import { queryOptions } from '@tanstack/react-query'
import type { InputOf, OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { queryClient } from './query-client.ts'
import { skillApi } from './skills.ts'

export type Guardrail = OutputOf<Contract['guardrails']['list']>['items'][number]
export type GuardrailRule = NonNullable<InputOf<Contract['guardrails']['try']>['rule']>
export type GuardrailTrial = OutputOf<Contract['guardrails']['try']>

export const guardrailsQuery = queryOptions({
  queryKey: ['guardrails'] as const,
  queryFn: ({ signal }) => skillApi.guardrails.list(undefined, { signal }),
})

export const refreshGuardrails = () => queryClient.invalidateQueries({ queryKey: ['guardrails'] })
