export const SEARCH_KINDS = ['project', 'file', 'block', 'session', 'run', 'event'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export const RESULTS_MAX = 20

export interface Hit {
  kind: SearchKind
  id: string
  name: string
  [more: string]: unknown
}
