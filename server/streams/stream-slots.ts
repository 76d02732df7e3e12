import { STREAMS_MAX } from '../../contract/quotas.ts'
import type { Caller } from '../context.ts'
import { ApiError } from '../errors.ts'
import { type Quotas, quotaExceededForNow } from '../metering/quotas.ts'

/** Streams close after two minutes, or when the client disconnects. */
const RETRY_SECONDS = 30

export interface StreamOpener {
  kind: 'person' | 'key' | 'link'
  id: string
}

/** A key's streams also count for its user. */
export function streamOpeners({ via, userId, credentialId }: Caller): StreamOpener[] {
  if (via === 'share') return [{ kind: 'link', id: credentialId }]
  const person = { kind: 'person' as const, id: userId }
  return via === 'key' ? [{ kind: 'key', id: credentialId }, person] : [person]
}

const MESSAGES: Record<StreamOpener['kind'], string> = {
  person: `You have ${STREAMS_MAX.person} streams open, the maximum for one user: close some`,
  key: `This API key has ${STREAMS_MAX.key} streams open, the maximum for one key: close some`,
  link: `${STREAMS_MAX.link} guests have the canvas open through this share link, the maximum for one link: try again later`,
}

/** Counts per process, so nothing needs cleanup when it ends. */
export function createStreamSlots(quotas: Pick<Quotas, 'openStream'>) {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  const free = (keys: string[]) => {
    for (const key of keys) {
      if (countOf(key) <= 1) counts.delete(key)
      else counts.set(key, countOf(key) - 1)
    }
  }

  return {
    async take(orgId: string, openers: StreamOpener[]): Promise<() => void> {
      const keyOf = ({ kind, id }: StreamOpener) => `${kind} ${orgId} ${id}`
      const full = openers.find((opener) => countOf(keyOf(opener)) >= STREAMS_MAX[opener.kind])
      if (full) throw tooMany(full.kind, countOf(keyOf(full)))
      const keys = openers.map(keyOf)
      for (const key of keys) counts.set(key, countOf(key) + 1)
      let freeInOrganization: () => void
      try {
        const slot = await quotas.openStream(orgId)
        if (typeof slot !== 'function') throw quotaExceededForNow(slot, RETRY_SECONDS)
        freeInOrganization = slot
      } catch (error) {
        free(keys)
        throw error
      }
      return () => {
        free(keys)
        freeInOrganization()
      }
    },
  }
}

const tooMany = (kind: StreamOpener['kind'], used: number) =>
  new ApiError('RATE_LIMITED', MESSAGES[kind], {
    details: { reason: 'too_many_streams', per: kind, used, allowed: STREAMS_MAX[kind] },
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })
