import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { organizationApi } from '../../../api/organizations.ts'

export type Member = OutputOf<Contract['organization']['members']>['items'][number]
export type Invite = OutputOf<Contract['organization']['invites']>['items'][number]

const PAGE_SIZE = 100

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => organizationApi.organization.get(undefined, { signal }),
})

export const membersQuery = infiniteQueryOptions({
  queryKey: ['organization', 'members'],
  queryFn: ({ pageParam, signal }) =>
    organizationApi.organization.members({ cursor: pageParam, limit: PAGE_SIZE }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})

/** Matches name or email address. An empty search returns all members. */
export const memberSearchQuery = (search: string) =>
  search === ''
    ? membersQuery
    : infiniteQueryOptions({
        queryKey: [...membersQuery.queryKey, search],
        queryFn: ({ pageParam, signal }) =>
          organizationApi.organization.members({ cursor: pageParam, limit: PAGE_SIZE, search }, { signal }),
        initialPageParam: undefined as string | undefined,
        getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
      })

export const invitesQuery = infiniteQueryOptions({
  queryKey: ['organization', 'invites'],
  queryFn: ({ pageParam, signal }) =>
    organizationApi.organization.invites({ cursor: pageParam, limit: PAGE_SIZE }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})
