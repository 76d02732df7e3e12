import lines from 'virtual:file-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { createGuestApi, type LateContract, signedInApi } from './client.ts'

/** Routes load with the first file. */
export const fileApi = signedInApi<LateContract<'file'>>(lines)
export const guestFileApi = createGuestApi<LateContract<'file'>>(lines, () => ({}))

export type FileVersion = OutputOf<Contract['fileVersions']['list']>['items'][number]
export type PublicLink = OutputOf<Contract['publicLinks']['create']>
export type PublicEntry = OutputOf<Contract['publicLinks']['open']>['entry']

export type TrashSummary = OutputOf<Contract['fileTrash']['summary']>
export type Retention = OutputOf<Contract['fileRetention']['get']>
export type ExistingFile = OutputOf<Contract['fileVersions']['find']>['items'][number]

const PAGE = 20

export const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['files', 'versions', id],
    queryFn: ({ pageParam: cursor, signal }) =>
      fileApi.fileVersions.list({ id, limit: PAGE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const publicLinksQuery = (id: string) =>
  queryOptions({
    queryKey: ['files', 'public-links', id],
    queryFn: ({ signal }) => fileApi.publicLinks.list({ id }, { signal }),
  })

export const trashSummaryQuery = queryOptions({
  queryKey: ['files', 'trash-summary'],
  queryFn: ({ signal }) => fileApi.fileTrash.summary(undefined, { signal }),
})

export const retentionQuery = queryOptions({
  queryKey: ['files', 'retention'],
  queryFn: ({ signal }) => fileApi.fileRetention.get(undefined, { signal }),
})

export const linkSettingsQuery = queryOptions({
  queryKey: ['files', 'link-settings'],
  queryFn: ({ signal }) => fileApi.publicLinks.settings(undefined, { signal }),
})

export const allLinksQuery = (createdBy: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['files', 'all-public-links', createdBy],
    queryFn: ({ pageParam: cursor, signal }) =>
      fileApi.publicLinks.listAll({ createdBy, cursor, limit: 50 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const versionUrl = (id: string, version: number, inline = false) =>
  `/api/v1/files/${id}/versions/${version}${inline ? '?inline=true' : ''}`
