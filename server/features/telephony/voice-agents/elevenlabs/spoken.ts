import type { Result } from '../results.ts'

/** Sentences that the voice agent can say as they are. */
export const SAY = {
  queued: 'I have passed this on. The result will follow.',
  queuedSms: 'I have passed this on. You will get the result by text message.',
  closed: 'Thank you for your call. Goodbye.',
  unreadable: 'I am sorry, I did not understand what to pass on. Please say it again.',
  foreign: 'I am sorry, I cannot find this conversation.',
  noAccess: 'I am sorry, I cannot pass this on at the moment.',
  noAgent: 'I am sorry, I cannot reach this colleague.',
  failed: 'I am sorry, I cannot pass this on at the moment.',
} as const

/** Results of earlier tasks come with the next answer: ElevenLabs accepts no text for a call in progress. */
export const withResults = (sentence: string, results: readonly Result[]): string =>
  [...results.map(({ text }) => `About your earlier request: ${text}`), sentence].join(' ')
