import { Link } from '@tanstack/react-router'
import { Name } from '../../../components/name.tsx'
import type { WebhookEventSummary } from '../webhooks-queries.ts'
import { DetailRow } from './detail-row.tsx'

const LABELS = { project: 'Project', agent: 'Agent', webhook: 'Webhook', skill: 'Skill' }

/** The actor and the subject of an Atrium event; nothing if the user may not see them. */
export function EventNames({ event: { actor, subject } }: { event: WebhookEventSummary }) {
  return (
    <>
      {actor && (
        <DetailRow name="Actor">
          <Name>{actor.name}</Name>
        </DetailRow>
      )}
      {subject && (
        <DetailRow name={LABELS[subject.type]}>
          <Link to={subject.path} className="truncate text-accent-text underline underline-offset-4">
            <Name>{subject.name}</Name>
          </Link>
        </DetailRow>
      )}
    </>
  )
}
