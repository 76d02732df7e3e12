import { asE164 } from '../phone.tsx'
import type { PhoneNumber } from '../telephony-queries.ts'

export interface NumberDraft {
  label: string
  projectId: string
  language: string
  voice: string
  greeting: string
  recordingNotice: string
  maxMinutes: string
  /** Comma-separated. */
  allowedPrefixes: string
}

export const toDraft = ({ label, projectId, settings }: PhoneNumber): NumberDraft => ({
  label: label ?? '',
  projectId,
  language: settings.language,
  voice: settings.voice ?? '',
  greeting: settings.greeting ?? '',
  recordingNotice: settings.recordingNotice ?? '',
  maxMinutes: String(settings.maxMinutes),
  allowedPrefixes: settings.allowedPrefixes.join(', '),
})

/** In the API's format. Empty fields get the default. */
export const toSettings = (draft: NumberDraft, number: PhoneNumber) => ({
  label: draft.label.trim() || null,
  // Sent only if changed: the user may not have access to the current project.
  ...(draft.projectId !== number.projectId && { projectId: draft.projectId }),
  settings: {
    language: draft.language.trim(),
    voice: draft.voice.trim() || null,
    greeting: draft.greeting.trim() || null,
    recordingNotice: draft.recordingNotice.trim() || null,
    maxMinutes: Number(draft.maxMinutes),
    allowedPrefixes: phoneList(draft.allowedPrefixes),
  },
})

export const phoneList = (typed: string) => [
  ...new Set(
    typed
      .split(/[,;\n]/)
      .map(asE164)
      .filter((each) => each !== ''),
  ),
]
