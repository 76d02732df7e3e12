import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Project } from '../../api/projects.ts'
import { useSession } from '../../api/session.ts'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import type { ApiKey } from '../api-keys/api-keys-queries.ts'
import type { Submission } from '../feedback/feedback-queries.ts'
import { PublicStatus } from '../feedback/public-status.tsx'
import { Block, BlockRow } from './block.tsx'
import { OperatorBlock } from './operator-block.tsx'
import { RecentProjects } from './recent-projects.tsx'

const ROWS_MAX = 5

interface OverviewProps {
  projects: Project[]
  keys: ApiKey[]
  submissions: Submission[]
  /** The onboarding checklist while it is incomplete. */
  children: ReactNode
}

/** The most recent records of each kind; omits empty lists. */
export function Overview({ projects, keys, submissions, children }: OverviewProps) {
  const { user } = useSession()
  return (
    <div className="grid max-w-spread items-start gap-x-48 gap-y-32 px-16 pt-24 pb-48 @wide:grid-cols-2 md:px-24">
      <div className="flex min-w-0 flex-col gap-32">
        {projects.length > 0 && <RecentProjects projects={mostRecent(projects)} />}
        {children}
        {submissions.length > 0 && (
          <Block title="Your recent feedback" all={<Link to="/feedback">All feedback</Link>}>
            {submissions.slice(0, ROWS_MAX).map((item) => (
              <BlockRow
                key={item.id}
                link={
                  <Link to="/feedback/$id" params={{ id: item.id }} data-row-link={item.id}>
                    {item.message}
                  </Link>
                }
                state={<PublicStatus status={item.publicStatus} />}
                when={<Time at={item.createdAt} />}
              />
            ))}
          </Block>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-32">
        {user.operator && <OperatorBlock />}
        {keys.length > 0 && (
          <Block title="Your API keys" all={<Link to="/settings/api-keys">All keys</Link>}>
            {keys.slice(0, ROWS_MAX).map((key) => (
              <BlockRow
                key={key.id}
                link={
                  <Link to="/settings/api-keys" data-row-link={key.id}>
                    <Name>{key.name}</Name>
                  </Link>
                }
                state={<code className="font-mono text-12 text-neutral-11">…{key.lastFour}</code>}
                when={key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'Never used'}
              />
            ))}
          </Block>
        )}
        <Block title="Developers">
          <BlockRow link={<a href="/docs">API reference</a>} when="Endpoints and examples" />
          <BlockRow link={<a href="/api/v1/openapi.json">OpenAPI document</a>} when="For tools and clients" />
          <BlockRow link={<a href="/healthz">Health check</a>} when="For monitoring" />
        </Block>
      </div>
    </div>
  )
}

const mostRecent = (projects: Project[]) =>
  projects.toSorted((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt)).slice(0, ROWS_MAX)
