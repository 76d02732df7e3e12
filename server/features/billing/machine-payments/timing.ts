export const REQUEST_MS = 30_000

/** By then, the sender has stored the result or ended. */
const SENDING_MS = 60_000

/** Not received by then, a request is lost. */
const LOST_MS = 15 * 60_000

const INQUIRY_MS = 60_000
const INQUIRY_MAX_MS = 3_600_000

export const sendingEnd = (now: Date): Date => new Date(now.getTime() + SENDING_MS)

/** Doubles up to an hour. */
export const nextInquiry = (now: Date, inquiries: number): Date =>
  new Date(now.getTime() + Math.min(INQUIRY_MS * 2 ** Math.min(inquiries, 10), INQUIRY_MAX_MS))

export const isLost = (sentAt: string, now: Date): boolean => now.getTime() - Date.parse(sentAt) >= LOST_MS
