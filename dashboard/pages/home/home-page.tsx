import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { conversationsQuery } from '../../api/conversation-lists.ts'
import { newestProjectsQuery } from '../../api/projects.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Page } from '../../frame/page.tsx'
import { apiKeysQuery } from '../api-keys/api-keys-queries.ts'
import { submissionsQuery } from '../feedback/feedback-queries.ts'
import { FirstSteps } from './first-steps.tsx'
import { Overview } from './overview.tsx'

/** Polls until the first request: the server writes a key's last use within a minute. */
const POLL_MS = 5000

export function HomePage() {
  const { user } = useSession()
  const submissions = useInfiniteQuery(submissionsQuery)
  const keys = useQuery({
    ...apiKeysQuery,
    refetchInterval: ({ state }) => (isUnused(state.data?.items) ? POLL_MS : false),
  })
  const projects = useQuery(newestProjectsQuery)
  const conversations = useInfiniteQuery(conversationsQuery({}))
  const error = keys.error ?? submissions.error ?? projects.error ?? conversations.error
  const isLoaded = keys.data && submissions.data && projects.data && conversations.data
  const sent = submissions.data?.pages[0]?.total ?? 0
  const done = {
    project: Boolean(projects.data?.items.some(({ userId }) => userId === user.id)),
    chat: Boolean(conversations.data?.pages[0]?.items.some(({ createdBy }) => createdBy === user.id)),
    key: Boolean(keys.data?.items.length),
    call: Boolean(keys.data?.items.some((key) => key.lastUsedAt)),
    feedback: sent > 0,
  }
  const finished = Object.values(done).every(Boolean)
  return (
    <Page title={finished ? 'Home' : `Welcome, ${user.name.split(' ')[0]}`}>
      {!isLoaded && !error && <SkeletonRows rows={4} />}
      {!isLoaded && error && (
        <Failure
          error={error}
          onRetry={() => {
            void keys.refetch()
            void submissions.refetch()
            void projects.refetch()
            void conversations.refetch()
          }}
        />
      )}
      {isLoaded && (
        <Overview
          projects={projects.data.items}
          keys={keys.data.items}
          submissions={submissions.data.pages[0]?.items ?? []}
        >
          {!finished && <FirstSteps done={done} />}
        </Overview>
      )}
    </Page>
  )
}

const isUnused = (keys: { lastUsedAt: string | null }[] | undefined) =>
  Boolean(keys?.length && keys.every((key) => !key.lastUsedAt))
