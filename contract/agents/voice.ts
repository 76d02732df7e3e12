import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { RECORDING_BYTES_MAX, RECORDING_SECONDS_MAX, SPOKEN_CHARACTERS_MAX } from './voice-options.ts'

const Offer = z.object({
  model: z.string().nullable().describe('`provider/model`; null if there is none'),
  problem: z
    .enum(['no_provider', 'wrong_provider', 'model_not_allowed'])
    .nullable()
    .describe('Why you can’t use it; null if you can'),
})

const Transcription = z.object({
  text: z.string().describe('Empty if nothing was said'),
  language: z.string().nullable().describe('As the provider names it; null if it doesn’t'),
  durationSeconds: z.number(),
})

const transcriptionFields = z.object({
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'must be an ISO 639 code such as de')
    .optional()
    .describe('Spoken language, which improves the result')
    .meta({ examples: ['de'] }),
})

const LIMITS = `Accepts WebM, Ogg, MP4, WAV and MP3 with at most ${RECORDING_BYTES_MAX / 1_048_576} MB and ${RECORDING_SECONDS_MAX / 60} minutes, as \`multipart/form-data\` with \`audio\` and optionally \`language\`. Nothing is stored. The cost counts in the ledger and in budgets. Returns CONFLICT if no provider is configured or a budget is reached, and PROVIDER_ERROR if the provider fails.`
const TRANSCRIPTION_LIMIT = { name: 'transcriptions', by: 'caller', capacity: 30, perSeconds: 60 } as const

export const voice = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/voice',
    summary: 'Get the voice models',
    description:
      'The models that transcribe recordings and read answers aloud, and whether you can use them. Admins choose them in the organization’s settings.',
    access: member(),
    output: z.object({ transcription: Offer, speech: Offer.extend({ voiceName: z.string() }) }),
  }),
  transcribe: endpoint({
    method: 'POST',
    path: '/api/v1/sessions/:id/transcribe',
    summary: 'Transcribe a recording for a session',
    description: LIMITS,
    access: member({ edits: true }),
    params: z.object({ id: Id }),
    multipart: transcriptionFields,
    multipartFile: 'audio',
    output: Transcription,
    limit: TRANSCRIPTION_LIMIT,
  }),
  transcribeForProject: endpoint({
    method: 'POST',
    path: '/api/v1/transcriptions',
    summary: 'Transcribe a recording for a project',
    description: `For a conversation that has not started. ${LIMITS}`,
    access: member({ edits: true }),
    query: z.object({ projectId: Id.describe('Project in which the conversation will start') }),
    multipart: transcriptionFields,
    multipartFile: 'audio',
    output: Transcription,
    limit: TRANSCRIPTION_LIMIT,
  }),
  speak: endpoint({
    method: 'POST',
    path: '/api/v1/sessions/:id/messages/:messageId/speech',
    summary: 'Read an answer aloud',
    description: `Responds with \`audio/mpeg\` as the provider produces it. Markdown, code and tables are left out, as is everything after the first ${SPOKEN_CHARACTERS_MAX.toLocaleString('en')} characters. Nothing is stored. The cost counts in the ledger and in budgets. Returns CONFLICT if the message isn’t an agent’s or has nothing to read, no provider is configured, or a budget is reached, and PROVIDER_ERROR if the provider fails.`,
    access: member(),
    params: z.object({ id: Id, messageId: Id }),
    output: z.null(),
    bytes: 'always',
    limit: { name: 'speech', by: 'caller', capacity: 30, perSeconds: 60 },
  }),
}
