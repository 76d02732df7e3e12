/** Limits of comments, also shown by the dashboard and the documentation. */
export const COMMENT_LIMITS = {
  /** Characters of a body. */
  body: 10_000,
  /** Different members that one comment mentions. */
  mentions: 20,
  /** Comments on one block, file or run, replies included. */
  perTarget: 1000,
  /** The newest replies that a list shows with their thread. */
  repliesShown: 20,
  /** Threads on a page. */
  page: 50,
  guestName: 60,
}

export const COMMENT_TARGETS = ['block', 'file', 'run'] as const

/** A mention in a body: `@[<id of the member>]`. */
export const MENTION = /@\[([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\]/gi

/** The members that a body mentions, each once. */
export const mentionsIn = (body: string): string[] => [
  ...new Set([...body.matchAll(MENTION)].map(([, id]) => id!.toLowerCase())),
]
