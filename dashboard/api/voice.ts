import { queryOptions } from '@tanstack/react-query'
import { ApiFailure, readResponse } from '../../client/client.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { t } from '../../contract/text.ts'
import { api } from './client.ts'

export type Voice = OutputOf<Contract['voice']['get']>
type Transcription = OutputOf<Contract['voice']['transcribe']>

const FRESH_MS = 60_000

export const voiceQuery = queryOptions({
  queryKey: ['voice'],
  queryFn: ({ signal }) => api.voice.get(undefined, { signal }),
  staleTime: FRESH_MS,
})

export type RecordingPlace = { sessionId: string } | { projectId: string }

export async function transcribe(
  recording: Blob,
  place: RecordingPlace,
  signal: AbortSignal,
): Promise<Transcription> {
  const path =
    'sessionId' in place
      ? `/api/v1/sessions/${place.sessionId}/transcribe`
      : `/api/v1/transcriptions?projectId=${place.projectId}`
  const form = new FormData()
  form.append('audio', recording, 'recording')
  const response = await post(path, form, signal)
  return (await readResponse(response, {})) as Transcription
}

/** MP3, which arrives as it is spoken. */
export async function fetchSpeech(
  { sessionId, messageId }: { sessionId: string; messageId: string },
  signal: AbortSignal,
): Promise<Response> {
  const response = await post(`/api/v1/sessions/${sessionId}/messages/${messageId}/speech`, null, signal)
  if (!response.ok) await readResponse(response, {})
  return response
}

const post = (path: string, body: FormData | null, signal: AbortSignal): Promise<Response> =>
  fetch(path, { method: 'POST', headers: { accept: 'application/json, audio/mpeg' }, body, signal }).catch(
    (cause: unknown) => {
      if (signal.aborted) throw cause
      throw new ApiFailure(0, { message: t`Can’t reach the server` })
    },
  )
