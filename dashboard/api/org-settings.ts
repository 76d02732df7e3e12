import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { organizationApi } from './organizations/organization-api.ts'

export type OrgSettings = OutputOf<Contract['orgSettings']['get']>

export const orgSettingsQuery = queryOptions({
  queryKey: ['org-settings'],
  queryFn: ({ signal }) => organizationApi.orgSettings.get(undefined, { signal }),
})
