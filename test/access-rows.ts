import type { Access, Endpoint } from '../contract/endpoint.ts'

export interface AccessRow {
  /** Names the query; empty without one. */
  suffix: string
  access: Access
  query: string
}

/** An endpoint that requires step-up for one value of its query is one row for each kind of access. */
export function accessRowsOf({ access }: Endpoint): AccessRow[] {
  if (access.kind !== 'member' || !access.steppedUpIf) return [{ suffix: '', access, query: '' }]
  const { edits, steppedUpIf } = access
  const { query, area } = steppedUpIf
  const row = (value: boolean, rowAccess: Access) => ({
    suffix: ` with ${query}=${value}`,
    access: rowAccess,
    query: `?${query}=${value}`,
  })
  return [
    { suffix: '', access, query: '' },
    row(false, access),
    row(true, { kind: 'stepped-up', area, ...(edits && { edits }) }),
  ]
}
