import { readFileSync } from 'node:fs'
import type { ComparableRequest } from './compare-tools.ts'

/** Requests that the SDK of a vendor made, recorded once: the package is too large to install for a test. */
export const recordedRequests = (slug: string): Record<string, ComparableRequest> =>
  (
    JSON.parse(readFileSync(new URL(`../recorded/${slug}.json`, import.meta.url), 'utf8')) as {
      requests: Record<string, ComparableRequest>
    }
  ).requests
