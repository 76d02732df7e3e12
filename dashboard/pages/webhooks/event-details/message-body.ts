import type { WebhookEvent } from '../webhooks-queries.ts'

/** What is posted: the same for every attempt, so that it is not kept with each. */
export const bodyOf = ({ id, type, receivedAt, source, payload }: WebhookEvent) =>
  JSON.stringify({ id, type, timestamp: receivedAt, source, data: payload })
