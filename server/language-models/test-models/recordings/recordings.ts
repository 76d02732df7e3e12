import type { ScriptLine } from '../parse-script.ts'
import { ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'
import type { Recording } from './recording.ts'

export const recordingIn = (language: string | null | undefined): Recording =>
  language === 'de' ? GERMAN : ENGLISH

/** Plays the part after those already answered. */
export function recordedLines(question: string, answers: number): ScriptLine[] {
  for (const { work, chat } of [ENGLISH, GERMAN]) {
    const parts = question.includes(work.instructions)
      ? work.parts
      : question.includes(chat.question)
        ? chat.parts
        : null
    if (parts) return parts[answers] ?? []
  }
  return [{ command: 'say', text: ENGLISH.otherwise }]
}
