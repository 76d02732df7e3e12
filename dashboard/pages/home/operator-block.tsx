import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Status } from '../../components/status.tsx'
import { jobsQuery } from '../jobs/jobs-queries.ts'
import { queueQuery } from '../queue/queue-queries.ts'
import { Block, BlockRow } from './block.tsx'

/** Open feedback and failed jobs; hidden until both counts are loaded. */
export function OperatorBlock() {
  const queue = useInfiniteQuery(queueQuery('open'))
  const jobs = useQuery(jobsQuery)
  const open = queue.data?.pages[0]?.counts.open
  const dead = jobs.data?.items.filter((job) => job.state === 'dead').length
  if (open === undefined || dead === undefined) return null
  return (
    <Block title="Admin">
      <BlockRow
        link={
          <Link to="/operate/feedback" search={open > 0 ? { status: 'open' } : {}} data-row-link="queue">
            Feedback queue
          </Link>
        }
        when={
          open > 0 ? (
            <Status meaning="info">{`${open} open`}</Status>
          ) : (
            <Status meaning="good">None open</Status>
          )
        }
      />
      <BlockRow
        link={
          <Link to="/operate/jobs" data-row-link="jobs">
            Jobs
          </Link>
        }
        when={
          dead > 0 ? (
            <Status meaning="bad">{`${dead} failed`}</Status>
          ) : (
            <Status meaning="good">No failed jobs</Status>
          )
        }
      />
    </Block>
  )
}
