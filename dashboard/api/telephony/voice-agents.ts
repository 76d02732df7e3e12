import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { LateContract } from '../client.ts'
import { telephonyApi } from './client.ts'

export type VoiceAgent = OutputOf<LateContract<'telephony'>['voiceAgents']['list']>['items'][number]
export type NewVoiceAgent = OutputOf<LateContract<'telephony'>['voiceAgents']['create']>

export const voiceAgentsQuery = queryOptions({
  queryKey: ['telephony', 'voice-agents'] as const,
  queryFn: ({ signal }) => telephonyApi.voiceAgents.list(undefined, { signal }),
})
