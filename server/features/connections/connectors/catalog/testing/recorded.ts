import { readFileSync } from 'node:fs'
import type { ComparableRequest } from './compare-tools.ts'

/** The SDK is too large to install for a test. */
export const recordedRequests = (slug: string): Record<string, ComparableRequest> =>
  (
    JSON.parse(readFileSync(new URL(`../recorded/${slug}.json`, import.meta.url), 'utf8')) as {
      requests: Record<string, ComparableRequest>
    }
  ).requests
