import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { TelephonyContract } from '../client.ts'
import { telephonyApi } from './client.ts'

export type VoiceAgent = OutputOf<TelephonyContract['voiceAgents']['list']>['items'][number]
export type NewVoiceAgent = OutputOf<TelephonyContract['voiceAgents']['create']>

export const voiceAgentsQuery = queryOptions({
  queryKey: ['telephony', 'voice-agents'] as const,
  queryFn: ({ signal }) => telephonyApi.voiceAgents.list(undefined, { signal }),
})
