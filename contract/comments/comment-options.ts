export const COMMENT_LIMITS = {
  /** In characters. */
  body: 10_000,
  /** Different members per comment. */
  mentions: 20,
  /** Comments on one block, file or run, including replies. */
  perTarget: 1000,
  repliesShown: 20,
  page: 50,
  guestName: 60,
}

export const COMMENT_TARGETS = ['block', 'file', 'run'] as const

export const MENTION = /@\[([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\]/gi

export const mentionsIn = (body: string): string[] => [
  ...new Set([...body.matchAll(MENTION)].map(([, id]) => id!.toLowerCase())),
]
