/** Plain data without schemas, for the server, the dashboard and the CLI. */

/** 25 MB, the most that OpenAI accepts. */
export const RECORDING_BYTES_MAX = 26_214_400
export const RECORDING_SECONDS_MAX = 600

export const RECORDING_TYPES = ['webm', 'ogg', 'mp4', 'wav', 'mp3'] as const
export type RecordingType = (typeof RECORDING_TYPES)[number]

/** Of an answer, without code and tables. */
export const SPOKEN_CHARACTERS_MAX = 20_000

/** Used with an organization’s first provider of the kind `openai`, if its admins chose no model. */
export const USUAL_VOICE = {
  transcription: 'gpt-4o-mini-transcribe',
  speech: 'gpt-4o-mini-tts',
  voiceName: 'alloy',
} as const

export const VOICE_NAME_CHARACTERS_MAX = 100
