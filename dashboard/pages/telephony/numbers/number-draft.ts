import { asE164 } from '../phone.tsx'
import type { PhoneNumber } from '../telephony-queries.ts'

/** The settings of a number in the form. */
export interface NumberDraft {
  label: string
  projectId: string
  language: string
  voice: string
  greeting: string
  recordingNotice: string
  maxMinutes: string
  /** Separated by commas. */
  allowedPrefixes: string
}

export const draftOf = ({ label, projectId, settings }: PhoneNumber): NumberDraft => ({
  label: label ?? '',
  projectId,
  language: settings.language,
  voice: settings.voice ?? '',
  greeting: settings.greeting ?? '',
  recordingNotice: settings.recordingNotice ?? '',
  maxMinutes: String(settings.maxMinutes),
  allowedPrefixes: settings.allowedPrefixes.join(', '),
})

/** The settings as the API takes them; an empty field has the default. */
export const settingsOf = (draft: NumberDraft, number: PhoneNumber) => ({
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

/** The numbers or prefixes of a list that is separated by commas or lines. */
export const phoneList = (typed: string) => [
  ...new Set(
    typed
      .split(/[,;\n]/)
      .map(asE164)
      .filter((each) => each !== ''),
  ),
]
